import { decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { keyIdOf } from '../../secrets.ts'
import { Jwt } from './jwt.format.ts'

const [older, newer] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string]
const maxLifetimeS = 60
const before = new Jwt({ key: older, maxLifetimeS })
const prepared = new Jwt({ key: older, otherKeys: [newer], maxLifetimeS })
const swapped = new Jwt({ key: newer, otherKeys: [older], maxLifetimeS })
const after = new Jwt({ key: newer, maxLifetimeS })

const claims = { kind: 'user', sub: 'ann', uid: 'id', ver: 0, scope: '' }
const isAccepted = async (jwt: Jwt, token: string) => (await jwt.verify(token)) !== undefined

describe('a token', () => {
  it('names the key that signed it', async () => {
    expect(decodeProtectedHeader(await swapped.sign(claims, 60))).toEqual({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: keyIdOf(newer),
    })
  })

  it('is accepted by every replica that has its key as current, next or previous key', async () => {
    const [ofOlder, ofNewer] = [await prepared.sign(claims, 60), await swapped.sign(claims, 60)]
    for (const jwt of [prepared, swapped])
      expect([await isAccepted(jwt, ofOlder), await isAccepted(jwt, ofNewer)]).toEqual([true, true])
    expect([await isAccepted(before, ofOlder), await isAccepted(before, ofNewer)]).toEqual([true, false])
    expect([await isAccepted(after, ofOlder), await isAccepted(after, ofNewer)]).toEqual([false, true])
  })

  it('of version 1.0, without a key id, is accepted under either key', async () => {
    for (const key of [older, newer]) expect(await isAccepted(swapped, await signed(key))).toBe(true)
    expect(await isAccepted(after, await signed(older))).toBe(false)
  })

  it('is rejected when its key id is of another key than its signature, or of no known key', async () => {
    for (const kid of [keyIdOf(newer), 'unknown', ''])
      expect([kid, await isAccepted(swapped, await signed(older, kid))]).toEqual([kid, false])
    expect(await isAccepted(swapped, await signed(older, keyIdOf(older)))).toBe(true)
  })
})

function signed(key: string, kid?: string): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...(kid !== undefined && { kid }) })
    .setIssuer('manc')
    .setAudience('manc')
    .setIssuedAt()
    .setExpirationTime('60s')
    .setJti('one')
    .sign(Buffer.from(key))
}
