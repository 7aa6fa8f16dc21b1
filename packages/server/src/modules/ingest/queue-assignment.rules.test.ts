import { describe, expect, it } from 'vitest'
import { type AssignedQueue, reassignments } from './queue-assignment.rules.ts'

const queues = (count: number): AssignedQueue[] =>
  Array.from({ length: count }, (_, n) => ({ name: `q${n}`, ingester: null }))

/** The queues after the ingesters have changed, and how many have moved. */
function assigned(before: readonly AssignedQueue[], ingesters: readonly string[]) {
  const changes = reassignments(before, ingesters)
  const changed = new Map(changes.map(({ name, ingester }) => [name, ingester]))
  const after = before.map(({ name, ingester }) => ({ name, ingester: changed.get(name) ?? ingester }))
  return { after, moved: changes.length }
}

const countsOf = (owned: readonly AssignedQueue[]): number[] =>
  Object.values(Object.groupBy(owned, ({ ingester }) => String(ingester)))
    .map((group) => group?.length ?? 0)
    .sort((a, b) => a - b)

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `i${n}`)

describe('The assignment of queues to ingesters', () => {
  it.each([
    [8, 1, [8]],
    [8, 2, [4, 4]],
    [8, 3, [2, 3, 3]],
    [8, 4, [2, 2, 2, 2]],
    [8, 8, [1, 1, 1, 1, 1, 1, 1, 1]],
    [32, 5, [6, 6, 6, 7, 7]],
  ])('divides %i queues among %i equally', (count, ingesters, expected) => {
    expect(countsOf(assigned(queues(count), names(ingesters)).after)).toEqual(expected)
  })

  it('leaves ingesters without a queue when there are more of them', () => {
    expect(countsOf(assigned(queues(8), names(9)).after)).toEqual(Array(8).fill(1))
  })

  it('moves only the share of an ingester that joins', () => {
    const { after } = assigned(queues(8), ['a'])
    const joined = assigned(after, ['a', 'b'])
    expect([countsOf(joined.after), joined.moved]).toEqual([[4, 4], 4])
    const third = assigned(joined.after, ['a', 'b', 'c'])
    expect([countsOf(third.after), third.moved]).toEqual([[2, 3, 3], 2])
  })

  it('moves only the queues of an ingester that leaves', () => {
    const { after } = assigned(queues(8), ['a', 'b', 'c', 'd'])
    const { after: left, moved } = assigned(after, ['a', 'c', 'd'])
    expect([countsOf(left), moved]).toEqual([[2, 3, 3], 2])
  })

  it('is even after each step of a rolling restart', () => {
    let { after } = assigned(queues(8), ['a1', 'b1', 'c1', 'd1'])
    const running = ['a1', 'b1', 'c1', 'd1']
    for (const name of ['a', 'b', 'c', 'd']) {
      running.splice(running.indexOf(`${name}1`), 1)
      after = assigned(after, running).after
      expect(countsOf(after)).toEqual([2, 3, 3])
      running.push(`${name}2`)
      after = assigned(after, running).after
      expect(countsOf(after)).toEqual([2, 2, 2, 2])
    }
  })

  it('changes nothing when it is even, or without an ingester', () => {
    const { after } = assigned(queues(8), ['a', 'b', 'c'])
    expect(reassignments(after, ['c', 'b', 'a'])).toEqual([])
    expect(reassignments(after, [])).toEqual([])
  })
})
