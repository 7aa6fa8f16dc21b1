import { type Coefficients, processNames } from '../packages/cli/src/capacity/coefficients.types.ts'
import { type Usage, usageOf } from '../packages/cli/src/capacity/usage.ts'
import { type Bench, rounded } from './bench.ts'
import { coefficientOf, fitProcesses, readCoefficients, writeCoefficients } from './capacity/coefficients.ts'
import { measureDisk } from './capacity/disk.ts'
import { type Measured, measureStep, type Size } from './capacity/step.ts'

const name = 'capacity'
/** Few agents that send often, and many that send rarely, with few and many metrics. */
const fitted: Size[] = [
  { agents: 500, perSecond: 500, metrics: 5 },
  { agents: 5000, perSecond: 500, metrics: 20 },
  { agents: 1000, perSecond: 1000, metrics: 20 },
  { agents: 4000, perSecond: 2000, metrics: 20 },
  { agents: 6000, perSecond: 3000, metrics: 5 },
]
/** Not used for the coefficients. */
const predicted: Size[] = [
  { agents: 2000, perSecond: 1000, metrics: 10 },
  { agents: 3000, perSecond: 1500, metrics: 20 },
  { agents: 5000, perSecond: 2500, metrics: 10 },
]
/** Measured on one node and on three. */
const compared: Size = { agents: 1000, perSecond: 1000, metrics: 20 }

/**
 * Measures the coefficients of `manc capacity`, writes them, and compares its predictions with sizes that were not used for
 * them. The ratio is the largest deviation of CPU time or memory of all processes together.
 */
export const capacity: Bench = async ({ quick, log }) => {
  const times = quick ? { settleS: 4, measuredS: 6 } : { settleS: 18, measuredS: 12 }
  const run = async (size: Size, cluster = false): Promise<Measured> => {
    log(
      `${size.agents} agents, ${size.perSecond} messages/s of ${size.metrics} metrics${cluster ? ', cluster' : ''}`,
    )
    const step = await measureStep(size, { ...times, cluster, log })
    log(`  ${processNames.map((each) => `${each} ${textOf(step.usage[each])}`).join(', ')}`)
    return step
  }
  const steps: Measured[] = []
  for (const size of fitted) steps.push(await run(size))
  const known = readCoefficients()
  const coefficients: Coefficients = { ...known, processes: fitProcesses(steps, name) }
  const one = steps[fitted.findIndex((size) => JSON.stringify(size) === JSON.stringify(compared))]
  if (!quick && one) {
    coefficients.disk = await diskCoefficients(log)
    coefficients.cluster = clusterCoefficients(one, await run(compared, true))
    writeCoefficients(coefficients)
  }
  const comparisons: Comparison[] = []
  for (const size of quick ? predicted.slice(0, 1) : predicted)
    comparisons.push(compare(await run(size), coefficients))
  for (const { line } of comparisons) log(line)
  return {
    ratio: rounded(Math.max(...comparisons.flatMap(({ deviations }) => deviations)), 3),
    comparisons: comparisons.map(({ figures }) => figures),
    coefficients,
  }
}

async function diskCoefficients(log: (line: string) => void): Promise<Coefficients['disk']> {
  const disk = await measureDisk(log)
  return {
    victoria_bytes_per_point: coefficientOf(name, disk.victoria_bytes_per_point),
    victoria_bytes_per_series: coefficientOf(name, disk.victoria_bytes_per_series),
    postgres_kib_per_agent: coefficientOf(name, disk.postgres_kib_per_agent),
  }
}

const clusterCoefficients = (one: Measured, three: Measured): Coefficients['cluster'] => ({
  rabbitmq_cpu_factor: coefficientOf(name, three.usage.rabbitmq.cores / one.usage.rabbitmq.cores),
  rabbitmq_memory_factor: coefficientOf(name, three.usage.rabbitmq.memoryMib / one.usage.rabbitmq.memoryMib),
})

type Comparison = ReturnType<typeof compare>

function compare({ load, usage }: Measured, coefficients: Coefficients) {
  const expected = usageOf(load, coefficients)
  const rows = [...processNames, 'all' as const].map((part) => ({
    part,
    measured: part === 'all' ? sum(Object.values(usage)) : usage[part],
    predicted: part === 'all' ? sum(Object.values(expected)) : expected[part],
  }))
  const all = rows.at(-1)
  const deviations = [
    deviation(all?.predicted.cores, all?.measured.cores),
    deviation(all?.predicted.memoryMib, all?.measured.memoryMib),
  ]
  return {
    deviations,
    line:
      `${load.agents} agents, ${load.messagesPerS} messages/s, ${load.pointsPerS} points/s, predicted and measured: ` +
      rows.map((row) => `${row.part} ${textOf(row.predicted)} and ${textOf(row.measured)}`).join(', '),
    figures: {
      ...load,
      ...Object.fromEntries(
        rows.map(({ part, ...row }) => [
          part,
          {
            cores: [rounded(row.predicted.cores, 3), rounded(row.measured.cores, 3)],
            memory_mib: [Math.round(row.predicted.memoryMib), Math.round(row.measured.memoryMib)],
          },
        ]),
      ),
    },
  }
}

const sum = (usages: readonly Usage[]): Usage => ({
  cores: usages.reduce((total, { cores }) => total + cores, 0),
  memoryMib: usages.reduce((total, { memoryMib }) => total + memoryMib, 0),
})

/** Of two figures, the larger against the smaller. */
const deviation = (a = Number.NaN, b = Number.NaN): number => Math.max(a / b, b / a)

const textOf = ({ cores, memoryMib }: Usage): string =>
  `${cores.toFixed(3)} cores ${Math.round(memoryMib)} MiB`
