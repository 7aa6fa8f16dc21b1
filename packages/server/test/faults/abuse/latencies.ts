import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** One operation of a normal caller. */
export interface Operation {
  kind: string
  startedAt: number
  ms: number
  /** Why it failed: a status or an error code. */
  failure?: string
}

export interface Phase {
  name: string
  from: number
  to: number
}

interface Latency {
  count: number
  p50: number
  p99: number
}

/** By kind of operation. */
export type Latencies = Record<string, Latency>

export function latenciesOf(operations: readonly Operation[]): Latencies {
  const kinds = Map.groupBy(operations, ({ kind }) => kind)
  return Object.fromEntries(
    [...kinds].map(([kind, all]) => {
      const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b)
      const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)
      return [kind, { count: sorted.length, p50: at(0.5), p99: at(0.99) }]
    }),
  )
}

/** How often each kind of failure occurred. */
export function failuresIn(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, failure } of operations)
    if (failure !== undefined) {
      const key = `${kind}: ${failure}`
      counts[key] = (counts[key] ?? 0) + 1
    }
  return counts
}

/** The acknowledgements in the log of a load generator. */
export async function acknowledgements(sampleLog: string): Promise<Operation[]> {
  const operations: Operation[] = []
  for await (const line of createInterface({ input: createReadStream(sampleLog) })) {
    const [kind, , ts, ms] = line.split(' ')
    if (kind === 'a') operations.push({ kind: 'telemetry', startedAt: Number(ts), ms: Number(ms) })
  }
  return operations
}
