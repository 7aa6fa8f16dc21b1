import type { LoginType, Token } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Caller, Rank } from '../../access.ts'
import { Refused } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import type { AgentService } from '../agents/index.ts'
import { type AppStore, readPermissions } from '../apps/index.ts'
import { type EnrolmentService, enrolmentTokenPrefix } from '../enrolment/index.ts'
import type { Revocations } from '../revocations/index.ts'
import { accountOf, type Throttle } from '../throttle/index.ts'
import { type FirstAdmin, rankOf, scopesOf, setupTokenPrefix, type UserStore } from '../users/index.ts'
import type { Claims, Jwt } from './jwt.ts'

interface Parts {
  users: UserStore
  agents: AgentService
  apps: AppStore
  firstAdmin: FirstAdmin
  enrolment: EnrolmentService
  secrets: Secrets
  jwt: Jwt
  revocations: Revocations
  throttle: Throttle
  lifetimesS: Record<LoginType, number>
}

interface Account {
  secretHash: string
  claims: Claims
}

interface Verified {
  caller: Caller
  subject: string
  version: number
  expiresAtMs: number
}

export class TokenService {
  readonly #parts: Parts
  /** Verified tokens, so that a busy caller is verified once: a look-up is a hundredth of a signature check. */
  readonly #verified = new LRUCache<string, Verified>({ max: 20_000 })
  /**
   * Agents' passwords that have matched their stored hash, by a fingerprint of both: the broker asks twice at each
   * login, and a fleet that lost its broker returns at once. Kept for as long as the token it could have bought.
   */
  readonly #lately: LRUCache<string, true>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#lately = new LRUCache({ max: 20_000, ttl: parts.lifetimesS.agent * 1000 })
  }

  async logIn(kind: LoginType, username: string, password: string, address: string): Promise<Token> {
    const { jwt, lifetimesS } = this.#parts
    const claims = await this.#authenticate(kind, username, password, address)
    const lifetimeS = lifetimesS[kind]
    return { access_token: await jwt.sign(claims, lifetimeS), token_type: 'bearer', expires_in: lifetimeS }
  }

  /** Whether a token that was good has not ended meanwhile. */
  async isLive(bearer: string): Promise<boolean> {
    try {
      await this.identify(bearer)
      return true
    } catch (error) {
      if (error instanceof Refused && error.kind === 'unauthenticated') return false
      throw error
    }
  }

  /** For our own subscriber, when it calls the interface. */
  serviceToken(lifetimeS: number): Promise<string> {
    const claims = { kind: 'service', sub: 'subscriber', uid: serviceId, ver: 0, scope: 'callbacks:post' }
    return this.#parts.jwt.sign(claims, lifetimeS)
  }

  /** For a connection to the broker: whether this is the agent's password, or a live token of that very agent. */
  async verifyAgent(apId: string, secret: string): Promise<boolean> {
    try {
      if (secret.length > longestPassword) {
        const caller = await this.identify(secret)
        return caller.kind === 'agent' && caller.name === apId
      }
      const { uid, ver } = await this.#authenticate('agent', apId, secret, undefined)
      // What shuts an agent out may have happened while its password was worked on.
      return !this.#parts.revocations.hasEnded(uid, ver)
    } catch (error) {
      if (error instanceof Refused && (error.kind === 'unauthenticated' || error.kind === 'too-many'))
        return false
      throw error
    }
  }

  /** At once where the token is known; otherwise a promise. Throws (or rejects with) the refusal. */
  identify(bearer: string): Caller | Promise<Caller> {
    const known = this.#verified.get(bearer)
    if (!known) return this.#verify(bearer)
    if (this.#hasEnded(known)) throw invalidCredentials()
    return known.caller
  }

  async #authenticate(
    kind: LoginType,
    username: string,
    password: string,
    address: string | undefined,
  ): Promise<Claims> {
    const { throttle } = this.#parts
    const attempt = { account: accountOf(kind, username), address }
    await throttle.check(attempt)
    const account = await this.#find(kind, username)
    const mayGuess = () => throttle.check(attempt)
    const right = await this.#isRight(kind, account?.secretHash, password, mayGuess)
    // Guesses that are made all at once learn nothing: whoever has to wait by now does, right or wrong.
    await mayGuess()
    if (!right || !account) {
      await throttle.failed(attempt)
      throw new Refused('unauthenticated', 'Incorrect username or password')
    }
    await throttle.forgive(attempt.account)
    return account.claims
  }

  async #isRight(
    kind: LoginType,
    stored: string | undefined,
    password: string,
    mayGuess: () => Promise<void>,
  ): Promise<boolean> {
    const { secrets } = this.#parts
    if (kind !== 'agent' || stored === undefined) return secrets.verifyPassword(stored, password, mayGuess)
    const pair = secrets.fingerprint(`${stored} ${password}`)
    if (this.#lately.has(pair)) return true
    const right = await secrets.verifyPassword(stored, password, mayGuess)
    if (right) this.#lately.set(pair, true)
    return right
  }

  async #verify(bearer: string): Promise<Caller> {
    if (bearer.startsWith(setupTokenPrefix)) return this.#setup(bearer)
    if (bearer.startsWith(enrolmentTokenPrefix)) return this.#enrolment(bearer)
    const verified = await this.#parts.jwt.verify(bearer)
    if (!verified) throw invalidCredentials()
    const { uid: subject, ver: version } = verified.claims
    const caller = await this.#callerOf(verified.claims)
    const known = { caller, subject, version, expiresAtMs: verified.expiresAtMs }
    if (this.#hasEnded(known)) throw invalidCredentials()
    this.#verified.set(bearer, known)
    return caller
  }

  #hasEnded({ subject, version, expiresAtMs }: Verified): boolean {
    return Date.now() >= expiresAtMs || this.#parts.revocations.hasEnded(subject, version)
  }

  async #callerOf({ kind, uid: id, sub: name, ver, rank }: Claims): Promise<Caller> {
    switch (kind) {
      case 'user':
        return { kind, id, name, rank: rank as Rank }
      case 'agent':
      case 'service':
        return { kind, id, name }
      case 'third_party_app': {
        // Permissions may be longer than a header: they stay in the database, and a change of them ends the token.
        const app = await this.#parts.apps.find(name)
        if (app?.id !== id || app.tokenVersion !== ver) throw invalidCredentials()
        const { may, priority, agents, sees } = readPermissions(JSON.parse(app.permissions))
        return { kind, id, name, may, priority, agents, sees }
      }
      default:
        throw invalidCredentials()
    }
  }

  async #setup(bearer: string): Promise<Caller> {
    if (!(await this.#parts.firstAdmin.isLive(bearer))) throw invalidCredentials()
    return { kind: 'setup' }
  }

  async #enrolment(bearer: string): Promise<Caller> {
    const token = await this.#parts.enrolment.findLive(bearer)
    if (!token) throw invalidCredentials()
    return { kind: 'enrolment', id: token.id, apIdPattern: token.apIdPattern }
  }

  async #find(kind: LoginType, name: string): Promise<Account | undefined> {
    // No stored name has it, and PostgreSQL refuses to be asked.
    if (name.includes('\0')) return undefined
    switch (kind) {
      case 'user': {
        const user = await this.#parts.users.findForLogin(name)
        if (!user) return undefined
        const rank = rankOf(user.roles)
        const scope = scopesOf(user.roles).join(' ')
        return {
          secretHash: user.passwordHash,
          claims: { kind, sub: user.username, uid: user.id, ver: user.tokenVersion, scope, rank },
        }
      }
      case 'agent': {
        const agent = await this.#parts.agents.findForLogin(name)
        return (
          agent && {
            secretHash: agent.passwordHash,
            claims: { kind, sub: agent.apId, uid: agent.id, ver: agent.tokenVersion, scope: '' },
          }
        )
      }
      case 'third_party_app': {
        const app = await this.#parts.apps.find(name)
        if (!app) return undefined
        const scope = readPermissions(JSON.parse(app.permissions)).scopes.join(' ')
        return {
          secretHash: app.apiKeyHash,
          claims: { kind, sub: app.appName, uid: app.id, ver: app.tokenVersion, scope },
        }
      }
    }
  }
}

/** Nobody else's: ids of callers are never all zeros. */
const serviceId = '00000000-0000-0000-0000-000000000000'

/** Every token of ours is longer, so that a secret is one or the other, and a stale token costs no hash. */
const longestPassword = 256

const invalidCredentials = () => new Refused('unauthenticated', 'Could not validate credentials')
