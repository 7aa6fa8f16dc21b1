import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Coefficient,
  type Coefficients,
  type ProcessCoefficients,
  type ProcessName,
  processNames,
} from '../../packages/cli/src/capacity/coefficients.types.ts'
import type { Load } from '../../packages/cli/src/capacity/usage.ts'
import { rounded } from '../bench.ts'
import { fit } from './fit.ts'
import type { Measured } from './step.ts'

const file = path.join(import.meta.dirname, '../../packages/cli/src/capacity/coefficients.json')

export const readCoefficients = (): Coefficients => JSON.parse(readFileSync(file, 'utf8')) as Coefficients

export function writeCoefficients(coefficients: Coefficients): void {
  writeFileSync(file, `${JSON.stringify(coefficients, null, 2)}\n`)
}

/** A figure that the bench of this name has measured now. */
export const coefficientOf = (bench: string, value: number): Coefficient => ({
  value: rounded(value, 4),
  source: `npm run bench -- ${bench}`,
  date: new Date().toISOString().slice(0, 10),
})

/** Coefficients in KiB, and the figure of the load that each is multiplied by. */
const memoryTerms = {
  memory_kib_per_agent: 'agents',
  memory_kib_per_message_per_s: 'messagesPerS',
  memory_kib_per_point_per_s: 'pointsPerS',
  memory_kib_per_series: 'series',
} as const satisfies Partial<Record<keyof ProcessCoefficients, keyof Load>>
type MemoryTerm = keyof typeof memoryTerms

/** What the memory of a process holds: connections, messages that are not yet acknowledged, series, tokens. */
const termsOf: Record<ProcessName, readonly MemoryTerm[]> = {
  rabbitmq: ['memory_kib_per_agent', 'memory_kib_per_message_per_s', 'memory_kib_per_point_per_s'],
  victoria: ['memory_kib_per_point_per_s', 'memory_kib_per_series'],
  postgres: [],
  ingester: ['memory_kib_per_agent', 'memory_kib_per_message_per_s', 'memory_kib_per_point_per_s'],
  api: ['memory_kib_per_agent'],
  subscriber: [],
}

/** What each process needs when idle, and for each message, point, agent and series. */
export function fitProcesses(steps: readonly Measured[], bench: string): Coefficients['processes'] {
  const entries = processNames.map((name) => {
    const [idleCores = 0, perMessage = 0, perPoint = 0] = fit(
      steps.map(({ load }) => [1, load.messagesPerS, load.pointsPerS]),
      // The CPU time of a process is counted in hundredths of a second: an idle one may have none.
      steps.map(({ usage }) => Math.max(usage[name].cores, 0.001)),
    )
    const terms = termsOf[name]
    const [idleMib = 0, ...perTerm] = fit(
      steps.map(({ load }) => [1, ...terms.map((term) => load[memoryTerms[term]])]),
      steps.map(({ usage }) => usage[name].memoryMib),
    )
    const of = (value: number) => coefficientOf(bench, value)
    const coefficients: ProcessCoefficients = {
      idle_cores: of(idleCores),
      cpu_us_per_message: of(perMessage * 1e6),
      cpu_us_per_point: of(perPoint * 1e6),
      idle_memory_mib: of(idleMib),
      ...Object.fromEntries(terms.map((term, n) => [term, of((perTerm[n] ?? 0) * 1024)])),
    }
    return [name, coefficients] as const
  })
  return Object.fromEntries(entries) as Coefficients['processes']
}
