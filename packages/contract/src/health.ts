import { type KpiName, kpiNames, kpis } from './kpis.ts'

/** Of an access point, the worst first. One that is offline may be switched off on purpose: it is not the worst. */
export const healths = ['bad', 'degraded', 'offline', 'unknown', 'good'] as const
export type Health = (typeof healths)[number]

/** What its samples say. */
export type KpiHealth = Exclude<Health, 'offline'>

/** The levels of a KPI that are a reason. */
export const reasonLevels = ['degraded', 'bad'] as const

/** Why an access point is degraded or bad. */
export interface HealthReason {
  kpi: KpiName
  level: (typeof reasonLevels)[number]
  /** When the level was reached. */
  value: number
  /** Time of the first sample at this level. */
  since: string
}

/** When a KPI has reached a level, or has left it. */
export interface HealthRule {
  /** How long all its samples have been at the level or worse, or better than it, in sample time. */
  seconds: number
  /** … and how many they are. */
  samples: number
  /** A KPI that the samples no longer contain does not count after this time. Longer than usual reporting periods. */
  absentSeconds: number
}

export const healthDefaults: HealthRule = { seconds: 30, samples: 3, absentSeconds: 1200 }

/** The KPIs that make the health. */
export const healthKpis = kpiNames.filter((name) => kpis[name].thresholds)

/** For example `load 98 % for 4 min; packet loss 9 %`. Null without a reason. */
export function reasonText(reasons: readonly HealthReason[], nowMs: number): string | null {
  if (reasons.length === 0) return null
  return reasons.map((reason) => textOf(reason, nowMs)).join('; ')
}

function textOf({ kpi, value, since }: HealthReason, nowMs: number): string {
  const { label, unit } = kpis[kpi]
  const named = `${label.toLowerCase()} ${rounded(value)}${unit === '' ? '' : ` ${unit}`}`
  const lasting = durationText(nowMs - Date.parse(since))
  return lasting === '' ? named : `${named} for ${lasting}`
}

/** Two digits are enough to see how bad it is. */
const rounded = (value: number) => (Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2)))

const minuteMs = 60_000

/** Empty below a minute. */
function durationText(ms: number): string {
  if (ms < minuteMs) return ''
  const minutes = Math.floor(ms / minuteMs)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / (24 * 60))} d`
}
