import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { valueOf } from './payload.ts'

/** Samples by agent and time: `<ap_id> <ts>`. */
export interface SampleLog {
  intended: ReadonlySet<string>
  acknowledged: ReadonlySet<string>
}

export interface StoreComparison {
  intended: number
  acknowledged: number
  /** Acknowledged samples of which a metric is missing or wrong. */
  lost: number
  /** The time of the oldest lost sample, in milliseconds. */
  firstLostAt: number | null
  /** Points that are stored more than once. */
  duplicated: number
  /** Points that were not sent. */
  unexpected: number
}

/** The samples that a generator has sent so far. It may still be running. */
export async function readSampleLog(file: string): Promise<SampleLog> {
  const intended = new Set<string>()
  const acknowledged = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [kind, apId, ts] = line.split(' ')
    ;(kind === 'i' ? intended : acknowledged).add(`${apId} ${ts}`)
  }
  return { intended, acknowledged }
}

/** Compares the samples that a generator has sent with the store. */
export async function compareWithStore(
  { intended, acknowledged }: SampleLog,
  victoria: string,
  prefix: string,
  metrics: number,
): Promise<StoreComparison> {
  const found = new Map<string, number>()
  let duplicated = 0
  let unexpected = 0
  for await (const { apId, metric, timestamps, values } of exportedPoints(victoria, prefix)) {
    let last = -1
    timestamps.forEach((ts, n) => {
      const key = `${apId} ${ts}`
      if (ts === last) duplicated += 1
      else if (!intended.has(key) || values[n] !== valueOf(ts, metric)) unexpected += 1
      else found.set(key, (found.get(key) ?? 0) + 1)
      last = ts
    })
  }
  const lost = [...acknowledged].filter((key) => found.get(key) !== metrics)
  const lostAt = lost.map((key) => Number(key.split(' ')[1]))
  return {
    intended: intended.size,
    acknowledged: acknowledged.size,
    lost: lost.length,
    firstLostAt: lostAt.length > 0 ? lostAt.reduce((a, b) => Math.min(a, b)) : null,
    duplicated,
    unexpected,
  }
}

interface Exported {
  apId: string
  metric: number
  timestamps: number[]
  values: number[]
}

/** All points of the agents of a generator, by series. */
export async function* exportedPoints(victoria: string, prefix: string): AsyncGenerator<Exported> {
  const url = new URL('/api/v1/export', victoria)
  url.searchParams.set('match[]', `{ap_id=~"${prefix}-.*"}`)
  url.searchParams.set('start', '-1d')
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`export: ${response.status} ${await response.text()}`)
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { metric, timestamps, values } = JSON.parse(line)
      yield { apId: metric.ap_id, metric: Number(metric.__name__.replace('metric_', '')), timestamps, values }
    }
  }
}
