import type { Bench } from './bench.ts'
import type { Assessment } from './sustained/assessment.ts'
import { runStep } from './sustained/step.ts'

/** Fleet sizes in order: the first two, and if the second is not sustainable, smaller ones until one is. */
const sizes = [3000, 5000, 4500, 4000, 3500]
/** Published figure of ThingsBoard: 15,000 points/s at 95 % of two cores. */
const thingsBoard = 127

/** The largest number of agents with 20 metrics at 1 Hz over MQTT QoS 1 that is sustained for minutes without loss. */
export const ingestSustained: Bench = async ({ quick, minutes = 10, agents, log }) => {
  const wanted = quick ? [1000] : agents === undefined ? sizes : [agents]
  const seconds = quick ? 30 : Math.round(minutes * 60)
  const steps: Assessment[] = []
  for (const size of wanted) {
    if (steps.length > 1 && steps.at(-1)?.held) break
    log(`${size} agents at 1 Hz for ${seconds} s`)
    const step = await runStep(size, seconds, log)
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
