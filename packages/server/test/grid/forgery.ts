import { createSecretKey } from 'node:crypto'
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

interface Change {
  key?: string
  algorithm?: string
  type?: string
  claims?: JWTPayload
}

/** Forged tokens: equal to a real one except for one change. */
export class Forgery {
  readonly #claims: JWTPayload
  readonly #key: string

  constructor(token: string, key: string) {
    this.#claims = decodeJwt(token)
    this.#key = key
  }

  make({ key = this.#key, algorithm = 'HS256', type = 'at+jwt', claims = {} }: Change = {}): Promise<string> {
    return new SignJWT({ ...this.#claims, ...claims })
      .setProtectedHeader({ alg: algorithm, typ: type })
      .sign(createSecretKey(key, 'utf8'))
  }

  unsigned(): string {
    const text = new UnsecuredJWT(this.#claims).encode()
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    return text.replace(/^[^.]+/, header)
  }
}
