import type { LoginType } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { HashOwner } from '../../hash-queue.ts'
import type { Secrets } from '../../secrets.ts'
import type { AgentService } from '../agents/index.ts'
import type { AppService } from '../apps/index.ts'
import type { LoginAudit } from '../audit/index.ts'
import { adminLoginEvent, type EventService } from '../events/index.ts'
import { accountOf, type LoginThrottle, type WindowLimit } from '../throttle/index.ts'
import type { UserService } from '../users/index.ts'
import type { Claims } from './jwt.format.ts'

interface Deps {
  users: UserService
  agents: AgentService
  apps: AppService
  secrets: Secrets
  throttle: LoginThrottle
  /** Only successful logins count: others must not use up the logins of an account. */
  logins: WindowLimit
  audit: LoginAudit
  postgres: Postgres
  events: EventService
  /** Counts look-ups in the cache of verified passwords. */
  countLookup: (isHit: boolean) => void
}

interface Account {
  secretHash: string
  claims: Claims
  /** Set for a user who has signed up and is not confirmed. */
  isUnconfirmed?: boolean
}

/** Verified passwords are cached for a day: a changed password has another stored hash. */
const cachedMs = 86_400_000
/** Comparisons of one agent's password with the cache per second. They bypass the throttle, so guessing must stay slow. */
const comparisonsPerS = 20

/** Checks the credentials of users, agents and apps. */
export class LoginService {
  readonly #deps: Deps
  /**
   * Passwords of agents that have matched their stored hash, by a fingerprint of both: the broker asks twice per
   * connection, and after an outage of the broker the whole fleet reconnects.
   */
  readonly #verifiedAgents = new LRUCache<string, true>({ max: 20_000, ttl: cachedMs })
  /** By agent, in the current second. */
  readonly #comparisons = new LRUCache<string, number>({ max: 20_000, ttl: 1000 })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The claims of the caller's token. Without an address it is a login at the broker. */
  async authenticate(
    kind: LoginType,
    username: string,
    password: string,
    address: string | undefined,
  ): Promise<Claims> {
    const { throttle, secrets, logins } = this.#deps
    const attempt = { account: accountOf(kind, username), address }
    const account = await this.#find(kind, username)
    // Before the throttle: failed logins of others must not keep out an agent with the right password.
    if (account && this.#isCached(account, password)) {
      if (address !== undefined) logins.count(attempt.account)
      return account.claims
    }
    // Nothing limits the names that are tried at the broker: an unknown one costs no hash, and no row that counts it.
    const isUnknownAgent = !account && address === undefined
    if (isUnknownAgent && (await secrets.waitLikeVerification())) throw wrongPassword()
    if (address !== undefined) logins.check(attempt.account)
    const checkThrottle = () => throttle.check(attempt)
    await checkThrottle()
    const owner: HashOwner =
      address === undefined ? { kind: 'broker', owner: attempt.account } : { kind: 'login', owner: address }
    const isRight = await secrets.verifyPassword(account?.secretHash, password, owner, checkThrottle)
    // Checked again: of many concurrent attempts none gets a result once the account has to wait.
    await checkThrottle()
    if (!isRight || !account) {
      await throttle.recordFailure(attempt)
      await this.#deps.audit.failed({ kind, name: account?.claims.sub, address })
      throw wrongPassword()
    }
    // Only after the password: others must not learn that the name has signed up.
    if (account.isUnconfirmed) {
      await this.#deps.audit.failed({ kind, name: account.claims.sub, address })
      throw new Refused(
        'forbidden',
        'This account is not confirmed. Open the link in the e-mail that you got, or sign up again for another one.',
      )
    }
    if (address !== undefined) logins.count(attempt.account)
    await throttle.recordSuccess(attempt)
    if (kind === 'agent') this.#verifiedAgents.set(this.#fingerprint(account, password), true)
    await this.#deps.audit.succeeded({ kind, name: account.claims.sub, address })
    if (account.claims.rank === 'admin')
      await this.#deps.events.append(this.#deps.postgres.db, [adminLoginEvent(account.claims.sub, address)])
    return account.claims
  }

  #isCached(account: Account, password: string): boolean {
    if (account.claims.kind !== 'agent') return false
    const { uid } = account.claims
    const comparisons = (this.#comparisons.get(uid) ?? 0) + 1
    this.#comparisons.set(uid, comparisons, { noUpdateTTL: true })
    const isCached =
      comparisons <= comparisonsPerS && this.#verifiedAgents.has(this.#fingerprint(account, password))
    this.#deps.countLookup(isCached)
    return isCached
  }

  #fingerprint({ secretHash }: Account, password: string): string {
    return this.#deps.secrets.fingerprint(`${secretHash} ${password}`)
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
          isUnconfirmed: !user.isConfirmed,
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

const wrongPassword = () => new Refused('unauthenticated', 'Incorrect username or password')
