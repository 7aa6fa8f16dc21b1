import { describe, expect, it } from 'vitest'
import { keyIdOf, Secrets } from './secrets.ts'

const by = { kind: 'login', owner: 'test' } as const
const [older, newer, foreign] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]
const before = new Secrets({ dataKey: older })
const during = new Secrets({ dataKey: newer, otherDataKeys: [older] })
const after = new Secrets({ dataKey: newer })

describe('the id of a key', () => {
  it('has 8 hexadecimal digits and differs between keys', () => {
    expect(keyIdOf(older)).toMatch(/^[0-9a-f]{8}$/)
    expect(keyIdOf(older)).not.toBe(keyIdOf(newer))
  })
})

describe('a rotated data key', () => {
  it('decrypts what either key has encrypted, and encrypts with the current key', () => {
    expect(during.unseal(before.seal('api key ü'))).toBe('api key ü')
    expect(after.unseal(during.seal('api key'))).toBe('api key')
    expect(() => before.unseal(during.seal('api key'))).toThrow('keys status')
  })

  it('finds the key of a ciphertext, and none for a foreign or damaged one', () => {
    const sealed = before.seal('api key')
    expect(during.keyIdOfSealed(sealed)).toBe(keyIdOf(older))
    expect(during.keyIdOfSealed(during.seal('api key'))).toBe(during.keyId)
    expect(after.keyIdOfSealed(sealed)).toBeUndefined()
    expect(during.keyIdOfSealed(new Secrets({ dataKey: foreign }).seal('x'))).toBeUndefined()
    for (const broken of [Buffer.alloc(0), sealed.subarray(0, 20), Buffer.alloc(40)])
      expect(during.keyIdOfSealed(broken)).toBeUndefined()
  })

  it('finds fingerprints of either key, and makes new ones with the current key', () => {
    expect(during.fingerprints('token')).toEqual([after.fingerprint('token'), before.fingerprint('token')])
    expect(during.fingerprint('token')).toBe(after.fingerprint('token'))
  })

  it('accepts generated passwords whose hash is of either key', async () => {
    for (const secrets of [before, during])
      expect(await during.verifyPassword(secrets.hashGenerated('password'), 'password', by)).toBe(true)
    expect(await during.verifyPassword(before.hashGenerated('password'), 'other', by)).toBe(false)
    expect(await after.verifyPassword(before.hashGenerated('password'), 'password', by)).toBe(false)
  })

  it('derives a password again under the key of its stored hash', () => {
    const hash = before.hashGenerated(before.derive('ap-1'))
    const keyId = during.keyIdOfDerived('ap-1', hash)
    expect(keyId).toBe(keyIdOf(older))
    expect(during.derive('ap-1', keyId)).toBe(before.derive('ap-1'))
    expect(during.derive('ap-1')).toBe(after.derive('ap-1'))
    expect(after.keyIdOfDerived('ap-1', hash)).toBeUndefined()
  })
})
