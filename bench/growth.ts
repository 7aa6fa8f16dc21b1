import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Bench, rounded } from './bench.ts'
import { measureBatches } from './growth/batches.ts'
import { plotGrowth } from './growth/plot.ts'
import { readLargest } from './growth/reads.ts'
import { runStep, type Step } from './growth/step.ts'

const perSecond = 2000
const metrics = 5
const sizes = [1000, 3000, 10_000, 30_000, 100_000]
const largest = 1_000_000
const plotFile = path.join(import.meta.dirname, '../docs/operations/growth.svg')

/**
 * The cost of a message, and of reading the fleet, with more and more registered agents at the same message rate. The ratio is
 * the CPU time of a message with the largest number of agents against that with the smallest.
 */
export const growth: Bench = async ({ quick, log }) => {
  const reads = quick ? 20 : 200
  const steps: Step[] = []
  for (const agents of quick ? sizes.slice(0, 2) : sizes) {
    const step = await runStep({ agents, perSecond, metrics, measuredS: quick ? 15 : 60, reads, log })
    steps.push(step)
    log(lineOf(step))
  }
  const agents = quick ? (sizes[2] ?? 0) : largest
  const ofLargest = await readLargest({ agents, perSecond, metrics, reads, sentS: quick ? 10 : 40, log })
  log(`${agents} agents: ${JSON.stringify(ofLargest)}`)
  const batches = await measureBatches(quick, log)
  if (!quick) writeFileSync(plotFile, plotGrowth(steps, batches))
  const cost = (step: Step | undefined) => step?.cpu_us['all'] ?? Number.NaN
  return {
    ratio: rounded(cost(steps.at(-1)) / cost(steps[0]), 3),
    largest_agents: agents,
    ...Object.fromEntries(Object.entries(ofLargest).map(([name, value]) => [`largest_${name}`, value])),
    steps,
    batches,
  }
}

function lineOf(step: Step): string {
  const parts = (values: Record<string, number>) =>
    Object.entries(values)
      .map(([part, value]) => `${part} ${value}`)
      .join(', ')
  return (
    `${step.agents} agents, ${step.messages_per_s} messages/s. CPU µs a message: ${parts(step.cpu_us)}. ` +
    `Without messages, CPU ms each second: ${parts(step.idle_ms_per_s)}. ` +
    `RSS in MiB: ${parts(step.rss_mib)}. p99 in ms: summary ${step.summary_p99_ms}, figures ${step.figures_p99_ms}`
  )
}
