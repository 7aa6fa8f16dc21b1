import {
  type HealthReason,
  type HealthRule,
  healthKpis,
  type KpiHealth,
  reasonLevels,
  type Technology,
} from '@manc/contract'
import { findKpis } from '@manc/contract/kpi-sources'
import { kpis } from '@manc/contract/kpis'

const good: number = 0
const degraded = 1
const bad = 2

/** How one KPI is read from the values of a sample. */
interface Step {
  /** Position in `healthKpis`. */
  kpi: number
  /** Position of the metric in the sample. */
  at: number
  factor: number
  offset: number
  degraded: number
  bad: number
  isLessBetter: boolean
  /** Position of the number of clients; -1: the KPI counts without it. */
  clientsAt: number
}

/** The KPIs of samples with these metric names. Made once for each list of names: a sample costs some array reads. */
export class HealthPlan {
  readonly #names: readonly string[]
  readonly #steps = new Map<Technology, readonly Step[]>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Of an access point of this technology, by which a signal-to-noise ratio is converted. */
  steps(technology: Technology): readonly Step[] {
    let steps = this.#steps.get(technology)
    if (!steps) this.#steps.set(technology, (steps = this.#stepsFor(technology)))
    return steps
  }

  #stepsFor(technology: Technology): Step[] {
    const [clients] = findKpis(this.#names, technology, ['clients'])
    return findKpis(this.#names, technology, healthKpis).flatMap(({ kpi, at, toKpi }) => {
      const { thresholds, better, isOfClients = false } = kpis[kpi]
      if (!thresholds) return []
      const clientsAt = isOfClients && clients ? clients.at : -1
      return [
        {
          kpi: healthKpis.indexOf(kpi),
          at,
          ...toKpi,
          ...thresholds,
          isLessBetter: better === 'less',
          clientsAt,
        },
      ]
    })
  }
}

/** What is stored of the health of an agent. */
export interface StoredHealth {
  kpiHealth: KpiHealth
  reasons: readonly HealthReason[]
}

/**
 * The health of one agent, from its samples in the order of their times. It begins with what is stored, so that neither a
 * restart nor another monitor changes it. Most agents are good: only KPIs that are not, or will not be, need memory.
 */
export class HealthTracker {
  /** False until a sample was good, or a KPI was degraded or bad for long enough. */
  #isKnown: boolean
  #newestMs = 0
  /** By position in `healthKpis`; undefined: good. */
  #tracks: (KpiTrack | undefined)[] | undefined

  constructor({ kpiHealth, reasons }: StoredHealth) {
    this.#isKnown = kpiHealth !== 'unknown'
    for (const { kpi, level, value, since } of reasons) {
      const position = healthKpis.indexOf(kpi)
      if (position >= 0)
        (this.#tracks ??= [])[position] = new KpiTrack(
          level === 'bad' ? bad : degraded,
          value,
          Date.parse(since),
        )
    }
  }

  get kpiHealth(): KpiHealth {
    let worst = good
    for (const track of this.#tracks ?? []) if (track && track.level > worst) worst = track.level
    if (worst > good) return worst === bad ? 'bad' : 'degraded'
    return this.#isKnown ? 'good' : 'unknown'
  }

  /** The worst first. */
  get reasons(): HealthReason[] {
    const reasons: HealthReason[] = []
    for (const wanted of [bad, degraded])
      for (const [position, kpi] of healthKpis.entries()) {
        const track = this.#tracks?.[position]
        const level = reasonLevels[wanted - 1]
        if (track?.level === wanted && level)
          reasons.push({ kpi, level, value: track.value, since: new Date(track.sinceMs).toISOString() })
      }
    return reasons
  }

  /** True if the health or its reasons are others now. A sample that is older than the newest one changes nothing. */
  record(steps: readonly Step[], values: readonly number[], tsMs: number, rule: HealthRule): boolean {
    if (tsMs < this.#newestMs) return false
    this.#newestMs = tsMs
    let isChanged = false
    let isRead = false
    let isGood = true
    for (const step of steps) {
      if (step.clientsAt >= 0 && values[step.clientsAt] === 0) continue
      const value = (values[step.at] ?? 0) * step.factor + step.offset
      const level = levelOf(step, value)
      isRead = true
      if (level > good) isGood = false
      else if (!this.#tracks?.[step.kpi]) continue
      if (this.#track(step.kpi).record(level, value, tsMs, rule)) isChanged = true
    }
    if (this.#tracks && this.#removeEnded(tsMs, rule)) isChanged = true
    if (this.#isKnown || !isRead || !(isGood || isChanged)) return isChanged
    this.#isKnown = true
    return true
  }

  #track(kpi: number): KpiTrack {
    const tracks = (this.#tracks ??= [])
    return (tracks[kpi] ??= new KpiTrack(good, 0, 0))
  }

  /** True if a KPI that was degraded or bad is no longer sent. */
  #removeEnded(tsMs: number, rule: HealthRule): boolean {
    let isChanged = false
    let isEmpty = true
    const tracks = this.#tracks ?? []
    for (const [kpi, track] of tracks.entries()) {
      if (!track) continue
      const isAbsent = track.isAbsent(tsMs, rule)
      if (isAbsent && track.level > good) isChanged = true
      if (isAbsent || track.isOver) tracks[kpi] = undefined
      else isEmpty = false
    }
    if (isEmpty) this.#tracks = undefined
    return isChanged
  }
}

/** A KPI that is degraded or bad, or may become so. */
class KpiTrack {
  /** That counts for the health. */
  level: number
  /** When the level was reached. */
  value: number
  sinceMs: number
  #seenMs = 0
  /** Samples in a row that are on the other side of the threshold than the level, and the time of the first one. */
  #degradedRun = 0
  #degradedRunMs = 0
  #badRun = 0
  #badRunMs = 0
  /** The last value that was degraded and not bad. */
  #degradedValue: number | undefined

  constructor(level: number, value: number, sinceMs: number) {
    this.level = level
    this.value = value
    this.sinceMs = sinceMs
  }

  /** Good, and no sample says otherwise. */
  get isOver(): boolean {
    return this.level === good && this.#degradedRun === 0
  }

  isAbsent(tsMs: number, { absentSeconds }: HealthRule): boolean {
    // After a restart it is not known when it was received last.
    if (this.#seenMs === 0) this.#seenMs = tsMs
    return tsMs - this.#seenMs > absentSeconds * 1000
  }

  /** True if the level has changed. */
  record(level: number, value: number, tsMs: number, { seconds, samples }: HealthRule): boolean {
    this.#seenMs = tsMs
    if (level === degraded) this.#degradedValue = value
    const before = this.level
    let after = before
    let sinceMs = this.sinceMs
    if (level >= degraded === before >= degraded) this.#degradedRun = 0
    else {
      if (this.#degradedRun === 0) this.#degradedRunMs = tsMs
      this.#degradedRun += 1
      if (this.#degradedRun >= samples && tsMs - this.#degradedRunMs >= seconds * 1000) {
        after = before >= degraded ? good : degraded
        sinceMs = this.#degradedRunMs
        this.#degradedRun = 0
      }
    }
    if (level >= bad === before >= bad) this.#badRun = 0
    else {
      if (this.#badRun === 0) this.#badRunMs = tsMs
      this.#badRun += 1
      if (this.#badRun >= samples && tsMs - this.#badRunMs >= seconds * 1000) {
        if (before < bad) after = bad
        else if (after !== good) after = degraded
        if (after !== good) sinceMs = this.#badRunMs
        this.#badRun = 0
      }
    }
    if (after === before) return false
    this.level = after
    // A signal below the range of its technology is a quality of 0.
    this.value = Math.max(0, after === degraded ? (this.#degradedValue ?? value) : value)
    this.sinceMs = sinceMs
    return true
  }
}

function levelOf(step: Step, value: number): number {
  if (step.isLessBetter) return value >= step.bad ? bad : value >= step.degraded ? degraded : good
  return value <= step.bad ? bad : value <= step.degraded ? degraded : good
}
