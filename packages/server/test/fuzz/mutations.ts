import fc from 'fast-check'
import { hostileValue } from './hostile-values.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths of all members and items of a value, the value itself first. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return [[...path], ...Object.keys(value).flatMap((key) => pathsIn((value as Json)[key], [...path, key]))]
}

const changes = ['remove', 'replace', 'wrap', 'rename', 'add'] as const

interface Mutation {
  change: (typeof changes)[number]
  /** Which of the places in the value. */
  at: number
  value: unknown
}

/** A value with one fault somewhere in it. */
export const nearly = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.record({ change: fc.constantFrom(...changes), at: fc.nat(1000), value: hostileValue }))
    .map(([value, mutation]) => mutate(value, mutation))

function mutate(value: unknown, { change, at, value: hostile }: Mutation): unknown {
  const paths = pathsIn(value)
  const path = paths[at % paths.length] ?? []
  return changeAt(value, path, (found) => {
    if (change === 'wrap') return [found]
    if (change === 'replace' || !isObject(found)) return hostile
    const [first] = Object.keys(found)
    if (change === 'add') return { ...found, [JSON.stringify(hostile).slice(0, 40)]: hostile }
    if (first === undefined) return hostile
    const { [first]: moved, ...rest } = found
    return change === 'remove' ? rest : { ...rest, [` ${first}`]: moved }
  })
}

function changeAt(value: unknown, path: readonly string[], change: (found: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return change(value)
  const changed = changeAt((value as Json)[key], rest, change)
  if (Array.isArray(value)) return value.with(Number(key), changed)
  return { ...value, [key]: changed }
}
