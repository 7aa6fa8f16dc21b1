/** What an agent measured at one moment. */
export interface Sample {
  tsMs: number
  names: string[]
  values: number[]
  /** What is no number: texts, lists, nulls. */
  attributes: Record<string, unknown> | undefined
}

/** Why a sample is not stored. The words are shown to people and counted by. */
export class UnfitSample extends Error {
  override readonly name = 'UnfitSample'
}

export interface SampleLimits {
  retentionMs: number
}

export const sampleLimits = ({ MANC_TELEMETRY_DAYS }: { MANC_TELEMETRY_DAYS: number }): SampleLimits => ({
  retentionMs: MANC_TELEMETRY_DAYS * 86_400_000,
})

const mostMetrics = 256
const longestName = 128
const deepest = 16
const aheadMs = 3_600_000
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u001f\u007f]/

/** `payload` is an object, or a JSON text of one; `ts` is RFC 3339 or epoch seconds or milliseconds, or absent for now. */
export function readSample(payload: unknown, ts: unknown, nowMs: number, limits: SampleLimits): Sample {
  const tsMs = ts === undefined || ts === null ? nowMs : readTime(ts)
  if (tsMs > nowMs + aheadMs) throw new UnfitSample('timestamp more than an hour ahead')
  if (tsMs < nowMs - limits.retentionMs) throw new UnfitSample('timestamp older than the retention')
  const sample: Sample = { tsMs, names: [], values: [], attributes: undefined }
  collect(sample, asObject(payload), '', 1)
  return sample
}

/** The object that a payload is, or undefined where it is none. */
export function payloadOf(value: unknown): Record<string, unknown> | undefined {
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** JSON of agents beyond this depth is refused: what walks through it later does so by recursion. */
export const deepestJson = 64

export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Every message comes through here: no list of its values is made. What was parsed from JSON inherits nothing.
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && deeperThan(inner, levels - 1)) return true
  }
  return false
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(payload: unknown): Record<string, unknown> {
  const object = payloadOf(payload)
  if (!object) throw new UnfitSample('payload is no object')
  return object
}

function collect(sample: Sample, from: Record<string, unknown>, prefix: string, depth: number): void {
  if (depth > deepest) throw new UnfitSample('nested too deeply')
  for (const key in from) {
    const value = from[key]
    const name = prefix + key
    if (typeof value === 'number') addMetric(sample, name, value)
    else if (typeof value === 'boolean') addMetric(sample, name, value ? 1 : 0)
    else if (isObject(value)) collect(sample, value, `${name}_`, depth + 1)
    else {
      sample.attributes ??= {}
      sample.attributes[checkedName(name)] = value
    }
  }
}

function addMetric(sample: Sample, name: string, value: number): void {
  if (!Number.isFinite(value)) throw new UnfitSample('value is no finite number')
  if (sample.names.length >= mostMetrics)
    throw new UnfitSample(`more than ${mostMetrics} metrics in a sample`)
  sample.names.push(checkedName(name))
  sample.values.push(value)
}

/** Names repeat from sample to sample; somebody who makes up new ones all the time must not fill the memory. */
const fitNames = new Map<string, string>()
const mostFitNames = 10_000

function checkedName(name: string): string {
  let fit = fitNames.get(name)
  if (fit === undefined) {
    fit = fitName(name)
    if (fitNames.size >= mostFitNames) fitNames.clear()
    fitNames.set(name, fit)
  }
  return fit
}

function fitName(name: string): string {
  if (name.length === 0 || name.length > longestName) throw new UnfitSample('metric name of unfit length')
  if (control.test(name)) throw new UnfitSample('metric name with control characters')
  // Readers may ask for several metrics in one comma-separated text; a quote has no escape in the line protocol's names.
  return /[,"]/.test(name) ? name.replaceAll(/[,"]/g, '_') : name
}

const dateTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i
/** As for date-times of the interface: larger numbers are milliseconds. */
const largestSeconds = 2e10

function readTime(ts: unknown): number {
  if (typeof ts === 'number') return fromEpoch(ts)
  if (typeof ts !== 'string') throw new UnfitSample('timestamp is no time')
  if (/^\d+(\.\d+)?$/.test(ts)) return fromEpoch(Number(ts))
  const [, day, time = '00:00', offset = 'Z'] = dateTime.exec(ts) ?? []
  const parsed = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  if (!Number.isFinite(parsed)) throw new UnfitSample('timestamp is no time')
  return parsed
}

function fromEpoch(epoch: number): number {
  if (!Number.isFinite(epoch) || epoch < 0) throw new UnfitSample('timestamp is no time')
  return Math.round(epoch <= largestSeconds ? epoch * 1000 : epoch)
}
