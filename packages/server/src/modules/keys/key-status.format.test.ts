import { describe, expect, it } from 'vitest'
import { isReencrypted, type KeyStatus, statusText } from './key-status.format.ts'

const stable: KeyStatus = {
  tokenKeys: { current: 'token-1', next: undefined, previous: undefined },
  dataKeys: { current: 'data-1', next: undefined, previous: undefined },
  longestTokenS: 3600,
  resetTokenS: 600,
  uses: [
    { name: 'API keys', isReencryptable: true, counts: [{ keyId: 'data-1', rows: 7 }] },
    { name: 'emulations', isReencryptable: false, counts: [] },
  ],
}
const swapped: KeyStatus = {
  ...stable,
  tokenKeys: { current: 'token-2', next: undefined, previous: 'token-1' },
  dataKeys: { current: 'data-2', next: undefined, previous: 'data-1' },
}
const until = new Date('2026-11-16T12:00:00Z')
const encrypted = (keyId: string | undefined) => ({
  name: 'API keys',
  isReencryptable: true,
  counts: [{ keyId, rows: 7 }],
})
const expiring = (keyId: string | undefined) => ({
  name: 'emulations',
  isReencryptable: false,
  counts: [{ keyId, rows: 2, until }],
})

describe('the status of the keys', () => {
  it('shows ids and rows, and that no rotation is in progress', () => {
    expect(statusText(stable)).toBe(
      [
        'Token key: token-1',
        'Data key:  data-1',
        '',
        'data      key     rows  expires',
        'API keys  data-1  7',
        '',
        'No rotation is in progress.',
      ].join('\n'),
    )
  })

  it('asks to use the next keys when every process accepts them', () => {
    const keys = { current: 'old', next: 'new', previous: undefined }
    const text = statusText({ ...stable, tokenKeys: keys, dataKeys: keys })
    expect(text).toContain('MANC_TOKEN_KEY_NEXT is accepted, not used.')
    expect(text).toContain('make it MANC_DATA_KEY, and the present key MANC_DATA_KEY_PREVIOUS')
    expect(text).not.toContain('keys rotate')
  })

  it('asks for keys rotate while rows are encrypted with the previous key', () => {
    const text = statusText(swapped)
    expect(text).toContain('7 rows are not encrypted with MANC_DATA_KEY.')
    expect(text).toContain('run: manc-server keys rotate')
    expect(text).not.toContain('MANC_DATA_KEY_PREVIOUS can be removed')
    expect(isReencrypted(swapped)).toBe(false)
  })

  it('states when the previous keys can be removed after the re-encryption', () => {
    const done = { ...swapped, uses: [encrypted('data-2'), expiring('data-2')] }
    expect(statusText(done)).toContain('MANC_DATA_KEY_PREVIOUS can be removed 600 s after')
    expect(statusText(done)).toContain('MANC_TOKEN_KEY_PREVIOUS can be removed 3600 s after')
    expect(isReencrypted(done)).toBe(true)
  })

  it('names expiring rows that may need the previous key, and until when', () => {
    for (const keyId of ['data-1', undefined]) {
      const text = statusText({ ...swapped, uses: [encrypted('data-2'), expiring(keyId)] })
      expect(text).toContain('emulations: 2 may need MANC_DATA_KEY_PREVIOUS until 2026-11-16T12:00:00.000Z')
      expect(text).not.toContain('MANC_DATA_KEY_PREVIOUS can be removed')
    }
  })

  it('reports rows that no key of the settings decrypts', () => {
    const lost = { ...stable, uses: [encrypted(undefined)] }
    expect(statusText(lost)).toContain('7 rows are encrypted with a key that is not in the settings.')
    expect(isReencrypted(lost)).toBe(false)
  })
})
