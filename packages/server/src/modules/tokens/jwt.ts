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
  /** Id of the caller: names are used again after a deletion, ids never. */
  uid: string
  ver: number
  scope: string
  rank?: string
}

/** Access tokens [RFC 9068], signed with one algorithm and no other. */
export class Jwt {
  readonly #key: KeyObject
  readonly #longestLifeS: number

  constructor(options: { key: string; longestLifeS: number }) {
    this.#key = createSecretKey(options.key, 'utf8')
    this.#longestLifeS = options.longestLifeS
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

  /** Undefined for anything but a live token of ours. */
  async verify(token: string): Promise<{ claims: Claims; expiresAtMs: number } | undefined> {
    try {
      const { payload } = await jwtVerify<Claims>(token, this.#key, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: type,
        // A token from before lifetimes were cut must not outlive the memory of its revocation.
        maxTokenAge: this.#longestLifeS,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'kind', 'uid', 'ver'],
      })
      return { claims: payload, expiresAtMs: (payload.exp ?? 0) * 1000 }
    } catch {
      // Whatever is wrong with it, the answer is the same 401, and its text must tell nothing.
      return undefined
    }
  }
}
