import { describe, expect, it } from 'vitest'
import { sharedView } from './fleet.rules.ts'

const keyOf = (owner: string, emulated: 'own' | 'all' | 'none', isOwner: boolean, patterns?: string[]) =>
  JSON.stringify(sharedView({ patterns, emulated, owner }, isOwner))

describe('the view that callers share', () => {
  it('is the same for callers without emulated agents', () => {
    expect(keyOf('a', 'own', false)).toBe(keyOf('b', 'own', false))
    expect(keyOf('a', 'own', false)).toBe(keyOf('b', 'none', true))
    expect(keyOf('a', 'all', true)).toBe(keyOf('b', 'all', false))
  })

  it('is separate for callers who see other agents', () => {
    const views = [
      keyOf('a', 'own', true),
      keyOf('b', 'own', true),
      keyOf('a', 'own', false),
      keyOf('a', 'all', false),
      keyOf('a', 'own', false, ['ap-*']),
    ]
    expect(new Set(views).size).toBe(views.length)
  })
})
