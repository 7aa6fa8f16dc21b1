import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { untilEmpty } from '../broker.ts'
import { createBenchEnvironment } from '../environment.ts'
import { type Assessment, assess, isBad, type Load } from './assessment.ts'
import { type Generator, startGenerator } from './generator.ts'
import { fleetPrefix, type Moment, measure, type Run } from './moments.ts'
import { metricNames } from './sample-text.ts'

const measureIntervalS = 5
/** Consecutive bad moments before a step is aborted. */
const maxBad = 4
const assessedFromS = 45

/** One load on a fresh set of engines, so that earlier steps do not influence it. */
export async function runStep(load: Load, seconds: number, log: (line: string) => void): Promise<Assessment> {
  const { agents, samples } = load
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  let generator: Generator | undefined
  try {
    log(`connecting ${agents} agents …`)
    const fleet = await createFleet(environment.variables, fleetPrefix, agents)
    const connectingAt = performance.now()
    generator = await startGenerator({
      mqttUrl: environment.engines.urls.mqtt,
      agents: fleet,
      perSecond: agents,
      metrics: metricNames.length,
      samples,
      subscribes: false,
    })
    log(
      `connected, with a first sample each, after ${Math.round((performance.now() - connectingAt) / 1000)} s`,
    )
    const moments: Moment[] = []
    const givenUp = await watch({ environment, ingester, generator, agents }, seconds, moments, log)
    const end = await generator.stop()
    log('waiting until everything is stored and acknowledged …')
    await untilEmpty(environment.engines.urls.rabbitmqManagement)
    const storedPoints = await countPoints(environment.engines.urls.victoria)
    return assess({ ...load, moments, end, storedPoints, givenUp })
  } finally {
    generator?.kill()
    await ingester.stop('SIGKILL')
    await environment.end()
  }
}

/** Runs until the time is over or the step fails; returns the reason of a failure. */
async function watch(
  run: Run,
  seconds: number,
  moments: Moment[],
  log: (line: string) => void,
): Promise<string | undefined> {
  const startedAt = performance.now()
  const atS = () => (performance.now() - startedAt) / 1000
  run.generator.send()
  let bad = 0
  for (let n = 1; n * measureIntervalS <= seconds; n++) {
    await sleep(Math.max(0, (n * measureIntervalS - atS()) * 1000))
    const moment = await measure(run, atS())
    bad = moment.atS > assessedFromS && isBad(moment, moments.at(-1)) ? bad + 1 : 0
    moments.push(moment)
    if (n % 2 === 0) log(lineOf(run.agents, moment))
    if (moment.lostConnections > 0) return `${moment.lostConnections} connections were closed`
    if (bad >= maxBad) return 'it falls behind'
  }
  return undefined
}

function lineOf(agents: number, { atS, usage, depth, lagS, visibleLagS, ...counted }: Moment): string {
  const mib = (part: keyof typeof usage) => Math.round(usage[part].rssBytes / 2 ** 20)
  return (
    `${String(Math.round(atS)).padStart(4)} s: ${agents} agents, sent ${counted.sent}, ` +
    `acknowledged ${counted.acknowledged}, ready ${depth.ready}, unacked ${depth.unacknowledged}, ` +
    `lag ${lagS.toFixed(1)} s, visible after ${visibleLagS.toFixed(1)} s, RSS in MiB: ingester ${mib('ingester')}, ` +
    `api ${mib('api')}, rabbitmq ${mib('rabbitmq')}, victoria ${mib('victoria')}`
  )
}

/** Number of stored points, one metric at a time: all metrics are too many for one query. */
async function countPoints(victoria: string): Promise<number> {
  await (await fetch(`${victoria}/internal/force_flush`)).text()
  let points = 0
  for (const name of metricNames) {
    const query = new URLSearchParams({ query: `sum(count_over_time(${name}[1d]))`, nocache: '1' })
    const answer = await fetch(`${victoria}/api/v1/query?${query.toString()}`)
    if (!answer.ok) throw new Error(`counting ${name}: ${answer.status} ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
    points += Number(data.result[0]?.value[1] ?? 0)
  }
  return points
}
