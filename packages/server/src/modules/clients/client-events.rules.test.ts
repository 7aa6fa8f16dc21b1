import { expect, it } from 'vitest'
import { ClientEventLimit } from './client-events.rules.ts'

const minuteMs = 60_000

it('takes one event per client and minute, and a number of events per minute', () => {
  const limit = new ClientEventLimit(2)
  const atMs = 100 * minuteMs
  expect(['a', 'a', 'b', 'c'].map((client) => limit.take(client, atMs))).toEqual([
    'taken',
    'repeated',
    'taken',
    'reached',
  ])
  expect(['c', 'a'].map((client) => limit.take(client, atMs + minuteMs))).toEqual(['taken', 'taken'])
})
