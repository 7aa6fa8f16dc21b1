import type { EmulationNews, FleetAgent, Job } from '@manc/sdk'
import { type EmulatedTechnology, emulatedTechnologies, type StoredSpec } from './request.ts'

/** The status of an emulation, from the reports of its emulators. */
export interface EmulationStatus {
  /** The latest report of each part. */
  parts: EmulationNews[]
  failed: number
  /** Null until all access points have been online at the same time. */
  timeToFullS: number | null
  /** The final report on the whole emulation. */
  summary: EmulationNews | undefined
}

export function statusOf(reports: readonly EmulationNews[]): EmulationStatus {
  const parts = new Map<number, EmulationNews>()
  let summary: EmulationNews | undefined
  for (const report of reports) {
    if (report.part === undefined) summary = report
    else parts.set(report.part, report)
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

/** The part of the job number that is contained in the IDs of its access points. */
export const idFragmentOf = (jobNumber: string): string => `-${jobNumber.slice(0, 8)}-`

export interface Count {
  technology: EmulatedTechnology
  online: number
  total: number
}

/** Online and total access points by technology. */
export function countsOf(agents: readonly FleetAgent[], specs: readonly StoredSpec[] = []): Count[] {
  return emulatedTechnologies
    .map((technology) => {
      const own = agents.filter((agent) => agent.technology === technology)
      const requested = specs
        .filter(({ access_point_type: type }) => type === technology)
        .reduce((sum, { num_access_points: n }) => sum + n, 0)
      return {
        technology,
        online: own.filter(({ state }) => state === 'online').length,
        total: Math.max(own.length, requested),
      }
    })
    .filter(({ total }) => total > 0)
}

/** The end of the emulation in epoch milliseconds; undefined until its request is read. */
export function endOf({ created_at: createdAt }: Job, specs: readonly StoredSpec[] | undefined) {
  if (!specs || specs.length === 0) return undefined
  return Date.parse(createdAt) + Math.max(...specs.map(({ duration }) => duration)) * 1000
}

const claimTimeoutMs = 8000

/** An emulator usually accepts an emulation within a second; later than this, none may be running. */
export const isUnclaimed = ({ state, created_at: createdAt }: Job, now: number): boolean =>
  state === 'queued' && now - Date.parse(createdAt) > claimTimeoutMs

const startTimeoutMs = 120_000

/** An emulation with missing access points is starting, until all were online once or the start has timed out. */
export function phaseOf(
  { state, created_at: createdAt }: Job,
  { online, total, timeToFullS }: { online: number; total: number; timeToFullS: number | null },
  now: number,
): 'waiting' | 'starting' | 'running' {
  if (state === 'queued') return 'waiting'
  const isStarting = now - Date.parse(createdAt) < startTimeoutMs
  return isStarting && timeToFullS === null && online < total ? 'starting' : 'running'
}
