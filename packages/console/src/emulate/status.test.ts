import type { EmulationNews, FleetAgent, Job } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import { countsOf, endOf, isUnclaimed, phaseOf, statusOf } from './status.ts'

const word = (part: number, live: number, full: number | null = null): EmulationNews => ({
  part,
  state: 'running',
  agents: 10,
  live,
  failed: part,
  time_to_full_s: full,
})

describe('how an emulation stands', () => {
  it('is the newest word on each part, in their order', () => {
    const { parts, failed, timeToFullS } = statusOf([word(2, 1), word(1, 3), word(2, 10, 4)])
    expect(parts.map(({ part, live }) => [part, live])).toEqual([
      [1, 3],
      [2, 10],
    ])
    expect([failed, timeToFullS]).toEqual([3, null])
  })

  it('is full when the last part is', () => {
    expect(statusOf([word(1, 10, 2), word(2, 10, 4)]).timeToFullS).toBe(4)
  })

  it('is what the summary says in the end', () => {
    const summary: EmulationNews = { state: 'finished', agents: 10, live: 10, failed: 0, time_to_full_s: 3 }
    expect(statusOf([word(1, 9), summary])).toMatchObject({ failed: 0, timeToFullS: 3, summary })
  })
})

it('counts who is live by kind, of as many as were asked for', () => {
  const agent = (technology: string, state: string) => ({ technology, state }) as FleetAgent
  const spec = (kind: string, n: number) => ({
    access_point_type: kind,
    num_access_points: n,
    locations: ['Bath'],
    num_devices: 1,
    duration: 60,
  })
  expect(
    countsOf([agent('WiFi', 'online'), agent('WiFi', 'offline')], [spec('WiFi', 3), spec('5G', 2)]),
  ).toEqual([
    { kind: '5G', live: 0, total: 2 },
    { kind: 'WiFi', live: 1, total: 3 },
  ])
})

describe('its time', () => {
  const job = { state: 'queued', created_at: '2026-01-01T00:00:00Z' } as Job
  const begun = Date.parse(job.created_at)

  it('is over after the longest of what was asked for', () => {
    expect(endOf(job, [{ duration: 60 }, { duration: 90 }] as never)).toBe(begun + 90_000)
    expect(endOf(job, undefined)).toBeUndefined()
  })

  it('is lying there when nobody takes it', () => {
    expect([isUnclaimed(job, begun + 2000), isUnclaimed(job, begun + 9000)]).toEqual([false, true])
    expect(isUnclaimed({ ...job, state: 'running' }, begun + 9000)).toBe(false)
  })

  it('begins when it is taken, and is begun once all were live or a while has passed', () => {
    const running = { ...job, state: 'running' } as Job
    const some = { live: 1, total: 2, timeToFullS: null }
    expect(phaseOf(job, some, begun)).toBe('waiting')
    expect(phaseOf(running, some, begun + 1000)).toBe('starting')
    expect(phaseOf(running, { ...some, timeToFullS: 2 }, begun + 3000)).toBe('running')
    expect(phaseOf(running, some, begun + 600_000)).toBe('running')
  })
})
