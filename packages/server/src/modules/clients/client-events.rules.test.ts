import { expect, it } from 'vitest'
import { ClientEventLimit } from './client-events.rules.ts'

const minuteMs = 60_000
const atMs = 100 * minuteMs

it('takes one event per client and minute, and a number of events per minute', () => {
  const limit = new ClientEventLimit(2)
  const take = (client: string, nowMs: number) => limit.take(client, `ap-${client}`, nowMs)
  expect(['a', 'a', 'b', 'c'].map((client) => take(client, atMs))).toEqual([
    'taken',
    'repeated',
    'taken',
    'reached',
  ])
  expect(['c', 'a'].map((client) => take(client, atMs + minuteMs))).toEqual(['taken', 'taken'])
})

it('takes a tenth of the events per minute of one agent, and those of other agents after that', () => {
  const limit = new ClientEventLimit(30)
  const taken = (apId: string, nowMs: number) =>
    Array.from({ length: 100 }, (_, n) => limit.take(`${apId} ${n} ${nowMs}`, apId, nowMs)).filter(
      (answer) => answer === 'taken',
    ).length
  expect(Array.from({ length: 11 }, (_, n) => taken(`ap-${n}`, atMs))).toEqual([...Array(10).fill(3), 0])
  expect(taken('ap-0', atMs + minuteMs)).toBe(3)
})
