import type { Bench } from './bench.ts'
import type { Assessment } from './sustained/assessment.ts'
import { runStep } from './sustained/step.ts'

/** Fleet sizes in order: the first two, and if the second is not sustainable, smaller ones until one is. */
const singleSizes = [3000, 5000, 4500, 4000, 3500]
/** 300,000 points/s; if that is not sustainable, less. */
const batchedSizes = [1500, 1250, 1000, 750]
const batch = 10
/** Published figure of ThingsBoard: 15,000 points/s at 95 % of two cores. */
const thingsBoard = 127

/** The largest number of agents with 20 metrics at 1 Hz over MQTT QoS 1 that is sustained for minutes without loss. */
export const ingestSustained: Bench = (options) =>
  sustained(options, { samples: 1, sizes: singleSizes, quickSize: 1000, first: 2 })

/** The same with ten samples in each message. */
export const ingestBatched: Bench = (options) =>
  sustained(options, { samples: batch, sizes: batchedSizes, quickSize: 200, first: 1 })

interface Plan {
  samples: number
  sizes: readonly number[]
  quickSize: number
  /** So many sizes are measured, and then smaller ones until one is held. */
  first: number
}

async function sustained(
  { quick, minutes = 10, agents, log }: Parameters<Bench>[0],
  { samples, sizes, quickSize, first }: Plan,
): ReturnType<Bench> {
  const wanted = quick ? [quickSize] : agents === undefined ? sizes : [agents]
  const seconds = quick ? 30 : Math.round(minutes * 60)
  const steps: Assessment[] = []
  for (const size of wanted) {
    if (steps.length >= first && steps.at(-1)?.held) break
    log(`${size} agents at 1 Hz, ${samples} samples in a message, for ${seconds} s`)
    const step = await runStep({ agents: size, samples }, seconds, log)
    steps.push(step)
    log(summaryOf(step))
  }
  const best = steps.filter(({ held }) => held).sort((a, b) => b.agents - a.agents)[0]
  return {
    ratio: (best?.agents ?? 0) / Math.max(...wanted),
    held_agents: best?.agents ?? 0,
    held_points_per_s: best?.points_per_s ?? 0,
    lost_points: steps.reduce((sum, step) => sum + step.lost_points, 0),
    cpu_s_per_million_points: (best ?? steps.at(-1))?.cpu_s_per_million_points['all'] ?? Number.NaN,
    thingsboard_cpu_s_per_million_points: thingsBoard,
    steps,
  }
}

function summaryOf(step: Assessment): string {
  const { agents, held, reasons, cpu_s_per_million_points: cost } = step
  return (
    `${agents} agents ${held ? 'held' : `did not hold: ${reasons.join('; ')}`}. ` +
    `${step.stored_points} points stored, ${step.lost_points} lost. CPU seconds a million points: ` +
    `ours ${cost['ours']}, engines ${cost['engines']}, generator ${cost['generator']}, all ${cost['all']} ` +
    `(ThingsBoard publishes ${thingsBoard})`
  )
}
