import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { keyIdOf } from '../../secrets.ts'

const algorithm = 'HS256'
const issuer = 'manc'
const audience = 'manc'
const type = 'at+jwt'

export interface Claims {
  kind: string
  /** Name of the caller: user name, `ap_id` or `app_name`. */
  sub: string
  /** Id of the caller: unlike names, ids are never reused after a deletion. */
  uid: string
  ver: number
  scope: string
  rank?: string
  /** Id of the session that began with the login. */
  sid?: string
  /** Time of the login, in seconds. */
  auth_time?: number
}

export interface VerifiedToken {
  claims: Claims
  /** Tokens of version 1.1 have no session id: each is a session. */
  sessionId: string
  loggedInAtMs: number
  expiresAtMs: number
}

interface SigningKey {
  id: string
  key: KeyObject
}

/** Access tokens [RFC 9068], signed and verified with one fixed algorithm. */
export class Jwt {
  readonly #current: SigningKey
  readonly #accepted: readonly SigningKey[]
  readonly #maxLifetimeS: number

  /** Signs with `key`, and accepts tokens that were signed with one of the others. */
  constructor(options: { key: string; otherKeys?: readonly string[]; maxLifetimeS: number }) {
    this.#current = signingKey(options.key)
    this.#accepted = [this.#current, ...(options.otherKeys ?? []).map(signingKey)]
    this.#maxLifetimeS = options.maxLifetimeS
  }

  sign({ sub, ...claims }: Claims, lifetimeS: number): Promise<string> {
    const nowS = Math.floor(Date.now() / 1000)
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: type, kid: this.#current.id })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(sub)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + lifetimeS)
      .setJti(randomUUID())
      .sign(this.#current.key)
  }

  /** Undefined for anything but a valid token of this server. */
  async verify(token: string): Promise<VerifiedToken | undefined> {
    for (const { key } of this.#candidates(token)) {
      const verified = await this.#verifyWith(key, token)
      if (verified) return verified
    }
    return undefined
  }

  /** Tokens of version 1.0 have no key id. */
  #candidates(token: string): readonly SigningKey[] {
    try {
      const { kid } = decodeProtectedHeader(token)
      return kid === undefined ? this.#accepted : this.#accepted.filter(({ id }) => id === kid)
    } catch {
      return []
    }
  }

  async #verifyWith(key: KeyObject, token: string): Promise<VerifiedToken | undefined> {
    try {
      const { payload } = await jwtVerify<Claims>(token, key, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: type,
        // A token that was issued before lifetimes were reduced must not outlive its stored revocation.
        maxTokenAge: this.#maxLifetimeS,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'kind', 'uid', 'ver'],
      })
      const { kind, sub, uid, ver, scope, rank, sid, auth_time: loginS, exp = 0, iat = 0, jti = '' } = payload
      return {
        claims: { kind, sub, uid, ver, scope, ...(rank !== undefined && { rank }) },
        sessionId: sid ?? jti,
        loggedInAtMs: (loginS ?? iat) * 1000,
        expiresAtMs: exp * 1000,
      }
    } catch {
      // Every error is the same 401: the reason must not be revealed.
      return undefined
    }
  }
}

const signingKey = (text: string): SigningKey => ({ id: keyIdOf(text), key: createSecretKey(text, 'utf8') })
