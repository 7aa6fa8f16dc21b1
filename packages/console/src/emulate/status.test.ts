import type { EmulationNews, FleetAgent, Job } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import { countsOf, endOf, isUnclaimed, phaseOf, statusOf } from './status.ts'

const report = (part: number, online: number, full: number | null = null): EmulationNews => ({
  part,
  state: 'running',
  agents: 10,
  live: online,
  failed: part,
  time_to_full_s: full,
})

describe('the status of an emulation', () => {
  it('has the latest report of each part, in order', () => {
    const { parts, failed, timeToFullS } = statusOf([report(2, 1), report(1, 3), report(2, 10, 4)])
    expect(parts.map(({ part, live }) => [part, live])).toEqual([
      [1, 3],
      [2, 10],
    ])
    expect([failed, timeToFullS]).toEqual([3, null])
  })

  it('is complete when the last part is', () => {
    expect(statusOf([report(1, 10, 2), report(2, 10, 4)]).timeToFullS).toBe(4)
  })

  it('is taken from the summary in the end', () => {
    const summary: EmulationNews = { state: 'finished', agents: 10, live: 10, failed: 0, time_to_full_s: 3 }
    expect(statusOf([report(1, 9), summary])).toMatchObject({ failed: 0, timeToFullS: 3, summary })
  })
})

it('online access points are counted by technology, out of the requested number', () => {
  const agent = (technology: string, state: string) => ({ technology, state }) as FleetAgent
  const spec = (technology: string, n: number) => ({
    access_point_type: technology,
    num_access_points: n,
    locations: ['Bath'],
    num_devices: 1,
    duration: 60,
  })
  expect(
    countsOf([agent('WiFi', 'online'), agent('WiFi', 'offline')], [spec('WiFi', 3), spec('5G', 2)]),
  ).toEqual([
    { technology: '5G', online: 0, total: 2 },
    { technology: 'WiFi', online: 1, total: 3 },
  ])
})

describe('the timing of an emulation', () => {
  const job = { state: 'queued', created_at: '2026-01-01T00:00:00Z' } as Job
  const begun = Date.parse(job.created_at)

  it('ends after the longest requested duration', () => {
    expect(endOf(job, [{ duration: 60 }, { duration: 90 }] as never)).toBe(begun + 90_000)
    expect(endOf(job, undefined)).toBeUndefined()
  })

  it('is reported as unclaimed if no emulator accepts it', () => {
    expect([isUnclaimed(job, begun + 2000), isUnclaimed(job, begun + 9000)]).toEqual([false, true])
    expect(isUnclaimed({ ...job, state: 'running' }, begun + 9000)).toBe(false)
  })

  it('is starting until all were online once or the start has timed out', () => {
    const running = { ...job, state: 'running' } as Job
    const some = { online: 1, total: 2, timeToFullS: null }
    expect(phaseOf(job, some, begun)).toBe('waiting')
    expect(phaseOf(running, some, begun + 1000)).toBe('starting')
    expect(phaseOf(running, { ...some, timeToFullS: 2 }, begun + 3000)).toBe('running')
    expect(phaseOf(running, some, begun + 600_000)).toBe('running')
  })
})
