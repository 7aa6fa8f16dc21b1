import { afterEach, expect, it, vi } from 'vitest'
import { isUuid, newId } from './ids.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('ids are in the order of their creation, within a millisecond and when the clock is set back', () => {
  const startMs = Date.now() + 60_000
  vi.useFakeTimers({ now: startMs, toFake: ['Date'] })
  const ids = Array.from({ length: 10_000 }, () => newId())
  vi.setSystemTime(startMs - 5000)
  ids.push(newId())
  vi.setSystemTime(startMs + 5000)
  ids.push(newId())
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(isUuid(id)).toBe(true)
    expect([id[14], '89ab'.includes(id[19] ?? '')]).toEqual(['7', true])
  }
  expect(timeOf(ids.at(-1) ?? '')).toBe(startMs + 5000)
})

it('ids have the time of a clock that is set back by more than some seconds', () => {
  const startMs = Date.now() + 60_000
  vi.useFakeTimers({ now: startMs + 3_600_000, toFake: ['Date'] })
  newId()
  vi.setSystemTime(startMs)
  expect(timeOf(newId())).toBe(startMs)
})

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
