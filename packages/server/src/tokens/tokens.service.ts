import type { LoginType, Token } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Caller, Rank } from '../access.ts'
import { type AgentStore, type EnrolmentService, enrolmentTokenPrefix } from '../agents/index.ts'
import { type AppStore, readPermissions } from '../apps/index.ts'
import { Refused } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import {
  type FirstAdmin,
  rankOf,
  scopesOf,
  setupTokenPrefix,
  type UserStore,
  usernameKey,
} from '../users/index.ts'
import type { Claims, Jwt } from './jwt.ts'
import type { Revocations } from './revocations.ts'
import type { Throttle } from './throttle.ts'

interface Parts {
  users: UserStore
  agents: AgentStore
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

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async logIn(kind: LoginType, username: string, password: string, address: string): Promise<Token> {
    const { secrets, throttle, jwt, lifetimesS } = this.#parts
    const attempt = { account: `${kind}:${kind === 'user' ? usernameKey(username) : username}`, address }
    await throttle.check(attempt)
    const account = await this.#find(kind, username)
    if (!(await secrets.verifyPassword(account?.secretHash, password)) || !account) {
      await throttle.failed(attempt)
      throw new Refused('unauthenticated', 'Incorrect username or password')
    }
    await throttle.succeeded(attempt)
    const lifetimeS = lifetimesS[kind]
    return {
      access_token: await jwt.sign(account.claims, lifetimeS),
      token_type: 'bearer',
      expires_in: lifetimeS,
    }
  }

  /** At once where the token is known; otherwise a promise. Throws (or rejects with) the refusal. */
  identify(bearer: string): Caller | Promise<Caller> {
    const known = this.#verified.get(bearer)
    if (!known) return this.#verify(bearer)
    if (this.#hasEnded(known)) throw invalidCredentials()
    return known.caller
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
        return { kind, id, name }
      case 'third_party_app': {
        // Permissions may be longer than a header: they stay in the database, and a change of them ends the token.
        const app = await this.#parts.apps.find(name)
        if (app?.id !== id || app.tokenVersion !== ver) throw invalidCredentials()
        const { may, sees } = readPermissions(JSON.parse(app.permissions))
        return { kind, id, name, may, sees }
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

const invalidCredentials = () => new Refused('unauthenticated', 'Could not validate credentials')
