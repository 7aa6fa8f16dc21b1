import type { LoginType } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import { Refused } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import type { AgentService } from '../agents/index.ts'
import type { AppService } from '../apps/index.ts'
import { accountOf, type LoginThrottle } from '../throttle/index.ts'
import type { UserService } from '../users/index.ts'
import type { Claims } from './jwt.format.ts'

interface Deps {
  users: UserService
  agents: AgentService
  apps: AppService
  secrets: Secrets
  throttle: LoginThrottle
  /** How long a verified password of an agent may be cached. */
  agentTokenS: number
  /** Counts look-ups in the cache of verified passwords. */
  countLookup: (isHit: boolean) => void
}

interface Account {
  secretHash: string
  claims: Claims
}

/** Checks the credentials of users, agents and apps. */
export class LoginService {
  readonly #deps: Deps
  /**
   * Passwords of agents that have matched their stored hash, by a fingerprint of both: the broker asks twice per
   * connection, and after an outage of the broker the whole fleet reconnects. Cached for as long as a token would be valid.
   */
  readonly #verifiedAgents: LRUCache<string, true>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#verifiedAgents = new LRUCache({ max: 20_000, ttl: deps.agentTokenS * 1000 })
  }

  /** The claims of the caller's token. */
  async authenticate(
    kind: LoginType,
    username: string,
    password: string,
    address: string | undefined,
  ): Promise<Claims> {
    const { throttle } = this.#deps
    const attempt = { account: accountOf(kind, username), address }
    await throttle.check(attempt)
    const account = await this.#find(kind, username)
    const checkThrottle = () => throttle.check(attempt)
    const isRight = await this.#verify(kind, account?.secretHash, password, checkThrottle)
    // Checked again: of many concurrent attempts none gets a result once the account has to wait.
    await checkThrottle()
    if (!isRight || !account) {
      await throttle.recordFailure(attempt)
      throw new Refused('unauthenticated', 'Incorrect username or password')
    }
    await throttle.clear(attempt.account)
    return account.claims
  }

  async #verify(
    kind: LoginType,
    stored: string | undefined,
    password: string,
    checkThrottle: () => Promise<void>,
  ): Promise<boolean> {
    const { secrets } = this.#deps
    if (kind !== 'agent' || stored === undefined)
      return secrets.verifyPassword(stored, password, checkThrottle)
    const pair = secrets.fingerprint(`${stored} ${password}`)
    const isVerified = this.#verifiedAgents.has(pair)
    this.#deps.countLookup(isVerified)
    if (isVerified) return true
    const isRight = await secrets.verifyPassword(stored, password, checkThrottle)
    if (isRight) this.#verifiedAgents.set(pair, true)
    return isRight
  }

  async #find(kind: LoginType, name: string): Promise<Account | undefined> {
    // PostgreSQL refuses U+0000; no stored name contains it.
    if (name.includes('\0')) return undefined
    switch (kind) {
      case 'user': {
        const user = await this.#deps.users.findForLogin(name)
        if (!user) return undefined
        const { id: uid, username: sub, tokenVersion: ver, rank, scopes } = user
        return {
          secretHash: user.passwordHash,
          claims: { kind, sub, uid, ver, scope: scopes.join(' '), rank },
        }
      }
      case 'agent': {
        const agent = await this.#deps.agents.findForLogin(name)
        if (!agent) return undefined
        const { apId: sub, id: uid, tokenVersion: ver } = agent
        return { secretHash: agent.passwordHash, claims: { kind, sub, uid, ver, scope: '' } }
      }
      case 'third_party_app': {
        const app = await this.#deps.apps.findForLogin(name)
        if (!app) return undefined
        const { appName: sub, id: uid, tokenVersion: ver, permissions } = app
        return {
          secretHash: app.apiKeyHash,
          claims: { kind, sub, uid, ver, scope: permissions.scopes.join(' ') },
        }
      }
    }
  }
}
