import { writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type ExperimentWorldName,
  experimentWorldNames,
  type SteeringPolicyName,
  steeringPolicyNames,
} from '@manc/contract'
import { type Bench, rounded } from './bench.ts'
import { resultsPage } from './steering/results-page.ts'
import { runAll } from './steering/run-all.ts'
import { Summary } from './steering/summary.ts'

const page = path.join(import.meta.dirname, '../docs/steering-results.md')
/** Parameters of policies were chosen with the seeds tune-1 to tune-3. */
const seeds = 20
const quickPart = 0.1
const ours: SteeringPolicyName = 'best-experience'
const others: readonly SteeringPolicyName[] = ['none', 'strongest', 'usteer', 'dawn']

/** `ratio` is the p5 of throughput with ours, relative to the best of the others, in the world where that is least. */
export const steering: Bench = async ({ quick, log }) => {
  const names = Array.from({ length: quick ? 1 : seeds }, (_, n) => `report-${n + 1}`)
  const part = quick ? quickPart : 1
  const runs = names.flatMap((seed) =>
    experimentWorldNames.flatMap((world) =>
      steeringPolicyNames.map((policy) => ({ world, policy, seed, part })),
    ),
  )
  const summary = new Summary()
  const startedAt = performance.now()
  let done = 0
  await runAll(runs, ({ world, policy, seed }, figures) => {
    summary.add(world, policy, seed, figures)
    done += 1
    const each = experimentWorldNames.length * steeringPolicyNames.length
    if (done % each === 0) log(`${done} of ${runs.length} runs after ${seconds(startedAt)} s`)
  })
  const text = resultsPage(summary, { seeds: names.length, took: seconds(startedAt) })
  log(text)
  if (!quick) writeFileSync(page, text)
  return figuresOf(summary)
}

const seconds = (startedAt: number) => Math.round((performance.now() - startedAt) / 1000)

/** The best of the others in a world. */
function bestOther(summary: Summary, world: ExperimentWorldName): SteeringPolicyName {
  const p5 = (policy: SteeringPolicyName) => summary.meanOf(world, policy, 'p5_mbps').mean
  return others.reduce((best, policy) => (p5(policy) > p5(best) ? policy : best))
}

function figuresOf(summary: Summary): { ratio: number } & Record<string, unknown> {
  const ratios = experimentWorldNames.map(
    (world) => [world, summary.ratioOf(world, ours, bestOther(summary, world), 'p5_mbps').mean] as const,
  )
  const outage = (policy: SteeringPolicyName) => summary.meanOf('factory_hall', policy, 'outage_s').mean
  const most = (figure: 'ping_pongs', policies: readonly SteeringPolicyName[]) =>
    Math.max(
      ...experimentWorldNames.map((world) =>
        Math.min(...policies.map((policy) => summary.meanOf(world, policy, figure).mean)),
      ),
    )
  return {
    ratio: rounded(Math.min(...ratios.map(([, ratio]) => ratio)), 3),
    ...Object.fromEntries(ratios.map(([world, ratio]) => [`${world}_ratio`, rounded(ratio, 3)])),
    outage_ratio: rounded(outage(ours) / Math.min(...others.map(outage)), 3),
    outage_predictable_s: rounded(summary.meanOf('factory_hall', ours, 'outage_predictable_s').mean),
    ping_pongs: rounded(most('ping_pongs', [ours])),
    ping_pongs_others: rounded(most('ping_pongs', others)),
    energy_ratio: rounded(summary.ratioOf('campus_day', 'energy-first', 'none', 'kwh').mean, 3),
    energy_p5_ratio: rounded(summary.ratioOf('campus_day', 'energy-first', 'none', 'p5_mbps').mean, 3),
  }
}
