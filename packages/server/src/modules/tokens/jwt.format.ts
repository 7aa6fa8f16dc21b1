import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

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
}

/** Access tokens [RFC 9068], signed and verified with one fixed algorithm. */
export class Jwt {
  readonly #key: KeyObject
  readonly #maxLifetimeS: number

  constructor(options: { key: string; maxLifetimeS: number }) {
    this.#key = createSecretKey(options.key, 'utf8')
    this.#maxLifetimeS = options.maxLifetimeS
  }

  sign({ sub, ...claims }: Claims, lifetimeS: number): Promise<string> {
    const nowS = Math.floor(Date.now() / 1000)
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: type })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(sub)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + lifetimeS)
      .setJti(randomUUID())
      .sign(this.#key)
  }

  /** Undefined for anything but a valid token of this server. */
  async verify(token: string): Promise<{ claims: Claims; expiresAtMs: number } | undefined> {
    try {
      const { payload } = await jwtVerify<Claims>(token, this.#key, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: type,
        // A token that was issued before lifetimes were reduced must not outlive its stored revocation.
        maxTokenAge: this.#maxLifetimeS,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'kind', 'uid', 'ver'],
      })
      return { claims: payload, expiresAtMs: (payload.exp ?? 0) * 1000 }
    } catch {
      // Every error is the same 401: the reason must not be revealed.
      return undefined
    }
  }
}
