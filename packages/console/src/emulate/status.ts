import type { EmulationNews, EmulatorSpec, FleetAgent, Job } from '@manc/sdk'
import { type Kind, kinds } from './request.ts'

/** How an emulation stands, by what its emulators have said. */
export interface Standing {
  /** The newest word on each part. */
  parts: EmulationNews[]
  failed: number
  /** Null until all have been live at once. */
  timeToFullS: number | null
  /** The last word on the whole. */
  summary: EmulationNews | undefined
}

export function statusOf(news: readonly EmulationNews[]): Standing {
  const parts = new Map<number, EmulationNews>()
  let summary: EmulationNews | undefined
  for (const each of news) {
    if (each.part === undefined) summary = each
    else parts.set(each.part, each)
  }
  const all = [...parts.values()].sort((a, b) => (a.part ?? 0) - (b.part ?? 0))
  const times = all.map(({ time_to_full_s: s }) => s)
  return {
    parts: all,
    failed: summary?.failed ?? all.reduce((sum, { failed }) => sum + failed, 0),
    timeToFullS:
      summary?.time_to_full_s ??
      (times.length > 0 && times.every((s) => s !== null) ? Math.max(...times) : null),
    summary,
  }
}

/** Its access points have the beginning of its number in their names. */
export const idFragmentOf = (jobNumber: string): string => `-${jobNumber.slice(0, 8)}-`

export interface Count {
  kind: Kind
  live: number
  total: number
}

/** Live of all, by kind. */
export function countsOf(agents: readonly FleetAgent[], specs: readonly EmulatorSpec[] = []): Count[] {
  return kinds
    .map((kind) => {
      const own = agents.filter(({ technology }) => technology === kind)
      const asked = specs
        .filter(({ access_point_type: type }) => type === kind)
        .reduce((sum, { num_access_points: n }) => sum + n, 0)
      return {
        kind,
        live: own.filter(({ state }) => state === 'online').length,
        total: Math.max(own.length, asked),
      }
    })
    .filter(({ total }) => total > 0)
}

/** When its time is over (epoch milliseconds); undefined where what was asked for is not known here. */
export function endOf({ created_at: createdAt }: Job, specs: readonly EmulatorSpec[] | undefined) {
  if (!specs || specs.length === 0) return undefined
  return Date.parse(createdAt) + Math.max(...specs.map(({ duration }) => duration)) * 1000
}

const takenWithinMs = 8000

/** Usually taken within a second: later than this, somebody should look after the emulator. */
export const isUnclaimed = ({ state, created_at: createdAt }: Job, now: number): boolean =>
  state === 'queued' && now - Date.parse(createdAt) > takenWithinMs

const startsWithinMs = 120_000

/** Not all live is the start, or later a fault: once all were live, or after a while, it runs. */
export function phaseOf(
  { state, created_at: createdAt }: Job,
  { live, total, timeToFullS }: { live: number; total: number; timeToFullS: number | null },
  now: number,
): 'waiting' | 'starting' | 'running' {
  if (state === 'queued') return 'waiting'
  const isYoung = now - Date.parse(createdAt) < startsWithinMs
  return isYoung && timeToFullS === null && live < total ? 'starting' : 'running'
}
