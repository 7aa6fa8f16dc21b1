import { describe, expect, it } from 'vitest'
import { matchesGlob } from '../../globs.ts'
import { isSandboxed, withinSandbox } from './sandbox.rules.ts'

const emulated = ['emu-5g-*', 'emu-wifi-*', 'emu-lifi-*']

describe('the patterns of an app in the sandbox', () => {
  it.each([
    ['all emulated access points, if it may see all', ['*'], emulated],
    ['a pattern of emulated access points', ['emu-wifi-0123*'], ['emu-wifi-0123*']],
    ['one emulated access point', ['emu-wifi-01234567-1'], ['emu-wifi-01234567-1']],
    ['nothing, if it may see real access points only', ['wifi-*', 'roof'], []],
    ['the emulated part of a wide pattern', ['emu-*', 'e*'], emulated],
    [
      'the emulated part of a pattern without a prefix',
      ['*-7'],
      ['emu-5g-*-7', 'emu-wifi-*-7', 'emu-lifi-*-7'],
    ],
    ['no id that only looks emulated', ['emu-', 'emu', 'EMU-WIFI-*', 'emu-client-*'], []],
    ['nothing, without a pattern', [], []],
  ])('are %s', (_title, given, expected) => {
    expect(withinSandbox(given)).toEqual(expected)
  })

  it('match nothing that the given patterns do not match', () => {
    const ids = [
      'emu-wifi-01234567-1',
      'emu-5g-01234567-77',
      'emu-lifi-ffffffff-7',
      'wifi-1',
      'emu-x',
      '5g-emu-7',
    ]
    const given = ['*', 'e*7', '*wifi*', 'emu-*-7', '*-1', 'emu-wifi-*', 'x*', '**', 'emu-lifi-ffffffff-7']
    const wrong = given.flatMap((pattern) =>
      withinSandbox([pattern]).flatMap((narrowed) =>
        ids.filter(
          (id) => matchesGlob(narrowed, id) && !(matchesGlob(pattern, id) && /^emu-(5g|wifi|lifi)-/.test(id)),
        ),
      ),
    )
    expect(wrong).toEqual([])
  })
})

describe('an app is in the sandbox', () => {
  it.each([
    ['with true', { sandbox: true }, true],
    ['with a value that is no boolean', { sandbox: 'no' }, true],
    ['with null', { sandbox: null }, true],
  ])('%s', (_title, permissions, expected) => {
    expect(isSandboxed(permissions)).toBe(expected)
  })

  it('neither without the member nor with false', () => {
    expect([isSandboxed({}), isSandboxed({ sandbox: false })]).toEqual([false, false])
  })
})
