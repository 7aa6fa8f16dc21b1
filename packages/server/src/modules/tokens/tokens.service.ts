import { randomUUID } from 'node:crypto'
import type { LoginType, Token } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Caller, Rank } from '../../access.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { AppService } from '../apps/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { type EnrolmentService, enrolmentTokenPrefix } from '../enrolment/index.ts'
import type { Revocations } from '../revocations/index.ts'
import { type FirstAdminService, setupTokenPrefix } from '../users/index.ts'
import type { Claims, Jwt, VerifiedToken } from './jwt.format.ts'
import type { LoginService } from './login.service.ts'

interface Deps {
  postgres: Postgres
  login: LoginService
  apps: AppService
  firstAdmin: FirstAdminService
  enrolment: EnrolmentService
  jwt: Jwt
  revocations: Revocations
  lifetimesS: Record<LoginType, number>
  /** How long a user's session can be renewed after the login. */
  maxSessionS: number
  /** Counts look-ups in the cache of verified tokens. */
  countLookup: (isHit: boolean) => void
}

interface Verified extends VerifiedToken {
  caller: Caller
}

/** Issues access tokens and identifies the caller of a bearer token. */
export class TokenService {
  readonly #deps: Deps
  /** Verified tokens: a look-up costs a hundredth of a signature check. */
  readonly #verified = new LRUCache<string, Verified>({ max: 20_000 })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async logIn(kind: LoginType, username: string, password: string, address: string): Promise<Token> {
    const claims = await this.#deps.login.authenticate(kind, username, password, address)
    return this.#issue(kind, claims, { sessionId: randomUUID(), loggedInAtMs: Date.now() })
  }

  /** A new token of the same session. The claims are still right: a change of the user revokes all tokens. */
  async renew(bearer: string): Promise<Token> {
    const { claims, sessionId, loggedInAtMs } = await this.#verifiedOf(bearer)
    return this.#issue('user', claims, { sessionId, loggedInAtMs })
  }

  /** Revokes all tokens of the session. */
  async endSession(bearer: string, by: Actor): Promise<void> {
    const { postgres, revocations } = this.#deps
    const { claims, sessionId } = await this.#verifiedOf(bearer)
    await postgres.transaction(async (tx) => {
      await revocations.revoke(tx, sessionId)
      await recordAudit(tx, by, { action: 'logout', target: claims.sub })
    })
  }

  /** Whether a token is still valid: it may have expired or been revoked since it was verified. */
  async isLive(bearer: string): Promise<boolean> {
    try {
      await this.identify(bearer)
      return true
    } catch (error) {
      if (error instanceof Refused && error.kind === 'unauthenticated') return false
      throw error
    }
  }

  /** For the subscriber role, which posts results to the API. */
  serviceToken(lifetimeS: number): Promise<string> {
    const claims = { kind: 'service', sub: 'subscriber', uid: serviceId, ver: 0, scope: 'callbacks:post' }
    return this.#deps.jwt.sign(claims, lifetimeS)
  }

  /** For a connection to the broker: whether the secret is the agent's password or a valid token of that agent. */
  async verifyAgent(apId: string, secret: string): Promise<boolean> {
    try {
      if (secret.length > maxPasswordLength) {
        const caller = await this.identify(secret)
        return caller.kind === 'agent' && caller.name === apId
      }
      const { uid, ver } = await this.#deps.login.authenticate('agent', apId, secret, undefined)
      // The agent may have been deleted or changed while its password was verified.
      return !this.#deps.revocations.isRevoked(uid, ver)
    } catch (error) {
      if (error instanceof Refused && (error.kind === 'unauthenticated' || error.kind === 'too-many'))
        return false
      throw error
    }
  }

  /** Synchronous where the token is cached. Throws (or rejects with) the refusal. */
  identify(bearer: string): Caller | Promise<Caller> {
    const known = this.#verified.get(bearer)
    this.#deps.countLookup(known !== undefined)
    if (!known) return this.#verify(bearer)
    if (this.#hasEnded(known)) throw invalidCredentials()
    return known.caller
  }

  /** The caller of a token that this replica has verified; undefined if it has not, or if the token has ended. */
  known(bearer: string): Caller | undefined {
    const known = this.#verified.get(bearer)
    return known && !this.#hasEnded(known) ? known.caller : undefined
  }

  async #verify(bearer: string): Promise<Caller> {
    if (bearer.startsWith(setupTokenPrefix)) return this.#setup(bearer)
    if (bearer.startsWith(enrolmentTokenPrefix)) return this.#enrolment(bearer)
    const verified = await this.#deps.jwt.verify(bearer)
    if (!verified) throw invalidCredentials()
    const caller = await this.#callerOf(verified.claims)
    const known = { ...verified, caller }
    if (this.#hasEnded(known)) throw invalidCredentials()
    this.#verified.set(bearer, known)
    return caller
  }

  #hasEnded({ claims: { uid, ver }, sessionId, expiresAtMs }: VerifiedToken): boolean {
    const { revocations } = this.#deps
    return Date.now() >= expiresAtMs || revocations.isRevoked(uid, ver) || revocations.isRevoked(sessionId, 0)
  }

  /** Of a token that was accepted for this request. */
  async #verifiedOf(bearer: string): Promise<VerifiedToken> {
    const verified = this.#verified.get(bearer) ?? (await this.#deps.jwt.verify(bearer))
    if (!verified || this.#hasEnded(verified)) throw invalidCredentials()
    return verified
  }

  async #issue(
    kind: LoginType,
    claims: Claims,
    { sessionId, loggedInAtMs }: { sessionId: string; loggedInAtMs: number },
  ): Promise<Token> {
    const { jwt, lifetimesS, maxSessionS } = this.#deps
    const sessionLeftS = Math.floor((loggedInAtMs - Date.now()) / 1000) + maxSessionS
    const lifetimeS = kind === 'user' ? Math.min(lifetimesS.user, sessionLeftS) : lifetimesS[kind]
    if (lifetimeS <= 0)
      throw new Refused('unauthenticated', 'The session has reached its maximum duration. Log in again.')
    const session = { sid: sessionId, auth_time: Math.floor(loggedInAtMs / 1000) }
    const token = await jwt.sign({ ...claims, ...session }, lifetimeS)
    return { access_token: token, token_type: 'bearer', expires_in: lifetimeS }
  }

  async #callerOf({ kind, uid: id, sub: name, ver, rank }: Claims): Promise<Caller> {
    switch (kind) {
      case 'user':
        return { kind, id, name, rank: rank as Rank }
      case 'agent':
      case 'service':
        return { kind, id, name }
      case 'third_party_app': {
        // Permissions may be too long for a header: they are read from the database, and a change revokes the token.
        const app = await this.#deps.apps.findForLogin(name)
        if (app?.id !== id || app.tokenVersion !== ver) throw invalidCredentials()
        const { may, priority, agents, sees } = app.permissions
        return { kind, id, name, may, priority, agents, sees }
      }
      default:
        throw invalidCredentials()
    }
  }

  async #setup(bearer: string): Promise<Caller> {
    if (!(await this.#deps.firstAdmin.isSetupTokenValid(bearer))) throw invalidCredentials()
    return { kind: 'setup' }
  }

  async #enrolment(bearer: string): Promise<Caller> {
    const token = await this.#deps.enrolment.findLive(bearer)
    if (!token) throw invalidCredentials()
    return { kind: 'enrolment', id: token.id, apIdPattern: token.apIdPattern }
  }
}

/** No caller has this id. */
const serviceId = '00000000-0000-0000-0000-000000000000'

/** Every access token is longer, so a longer secret is a token, and an expired token costs no password hash. */
const maxPasswordLength = 256

const invalidCredentials = () => new Refused('unauthenticated', 'Could not validate credentials')
