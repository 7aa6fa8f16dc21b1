import { maxAheadMs } from '../../clocks.ts'

/** One timestamped set of values from an agent. */
export interface Sample {
  tsMs: number
  names: string[]
  values: number[]
  /** Members that are neither numbers nor booleans: texts, lists, nulls. */
  attributes: Record<string, unknown> | undefined
}

/** The message is the reason: it is shown in replies, and rejected samples are counted by it. */
export class InvalidSample extends Error {
  override readonly name = 'InvalidSample'
}

export interface SampleLimits {
  retentionMs: number
  /** In one message or request. */
  maxSamples: number
}

export const sampleLimits = (settings: {
  MANC_TELEMETRY_DAYS: number
  MANC_AGENT_SAMPLES_PER_MESSAGE: number
}): SampleLimits => ({
  retentionMs: settings.MANC_TELEMETRY_DAYS * 86_400_000,
  maxSamples: settings.MANC_AGENT_SAMPLES_PER_MESSAGE,
})

const maxMetrics = 256
const maxNameLength = 128
const maxPayloadDepth = 16
// oxlint-disable-next-line no-control-regex -- matched on purpose
const controlCharacter = /[\u0000-\u001f\u007f]/

/** `payload` is an object, or a JSON text of one; `ts` is RFC 3339 or an epoch time (see `fromEpoch`), or absent for now. */
export function readSample(payload: unknown, ts: unknown, nowMs: number, limits: SampleLimits): Sample {
  const tsMs = ts === undefined || ts === null ? nowMs : readTime(ts)
  if (tsMs > nowMs + maxAheadMs) throw new InvalidSample('timestamp more than an hour ahead')
  if (tsMs < nowMs - limits.retentionMs) throw new InvalidSample('timestamp older than the retention')
  const sample: Sample = { tsMs, names: [], values: [], attributes: undefined }
  collect(sample, asObject(payload), '', 1)
  return sample
}

/** A payload as an object, also from JSON text; undefined if it is none. */
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

/** Deeper JSON of agents is rejected, since it is traversed by recursion. */
export const maxJsonDepth = 64

export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Runs for every message: `for in` allocates no array. Parsed JSON inherits no enumerable properties.
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && isNestedDeeper(inner, levels - 1)) return true
  }
  return false
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(payload: unknown): Record<string, unknown> {
  const object = payloadOf(payload)
  if (!object) throw new InvalidSample('payload is no object')
  return object
}

function collect(sample: Sample, from: Record<string, unknown>, prefix: string, depth: number): void {
  if (depth > maxPayloadDepth) throw new InvalidSample('nested too deeply')
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
  if (!Number.isFinite(value)) throw new InvalidSample('value is no finite number')
  if (sample.names.length >= maxMetrics)
    throw new InvalidSample(`more than ${maxMetrics} metrics in a sample`)
  sample.names.push(checkedName(name))
  sample.values.push(value)
}

/** Names repeat from sample to sample. Limited: a faulty agent may send new names in every sample. */
const checkedNames = new Map<string, string>()
const maxCheckedNames = 10_000

function checkedName(name: string): string {
  let checked = checkedNames.get(name)
  if (checked === undefined) {
    checked = checkName(name)
    if (checkedNames.size >= maxCheckedNames) checkedNames.clear()
    checkedNames.set(name, checked)
  }
  return checked
}

function checkName(name: string): string {
  if (name.length === 0 || name.length > maxNameLength) throw new InvalidSample('metric name of unfit length')
  if (controlCharacter.test(name)) throw new InvalidSample('metric name with control characters')
  // Queries have comma-separated lists of names; the line protocol cannot escape a quote in a name.
  return /[,"]/.test(name) ? name.replaceAll(/[,"]/g, '_') : name
}

const dateTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i
/** As for date-times of the interface, larger numbers are milliseconds; then microseconds and nanoseconds. */
const maxEpochSeconds = 2e10

function readTime(ts: unknown): number {
  if (typeof ts === 'number') return fromEpoch(ts)
  if (typeof ts !== 'string') throw new InvalidSample('timestamp is no time')
  if (/^\d+(\.\d+)?$/.test(ts)) return fromEpoch(Number(ts))
  const [, day, time = '00:00', offset = 'Z'] = dateTime.exec(ts) ?? []
  const parsed = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  if (!Number.isFinite(parsed)) throw new InvalidSample('timestamp is no time')
  return parsed
}

function fromEpoch(epoch: number): number {
  if (!Number.isFinite(epoch) || epoch < 0) throw new InvalidSample('timestamp is no time')
  if (epoch <= maxEpochSeconds) return Math.round(epoch * 1000)
  if (epoch <= maxEpochSeconds * 1e3) return Math.round(epoch)
  return Math.round(epoch <= maxEpochSeconds * 1e6 ? epoch / 1e3 : epoch / 1e6)
}
