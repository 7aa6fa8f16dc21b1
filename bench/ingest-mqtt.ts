import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { type Bench, median, rounded } from './bench.ts'
import { untilEmpty } from './broker.ts'
import { createBenchEnvironment, startBare } from './environment.ts'
import { insertedPoints } from './points.ts'
import type { Publishing } from './publishers.ts'

const publishers = 20
const metrics = 20

/** From a QoS 1 publish to stored: ours, and the same engines with a consumer that only forwards lines. */
export const ingestMqtt: Bench = async ({ quick, log }) => {
  const [rounds, warmUpS, steadyS] = quick ? [1, 5, 10] : [3, 20, 60]
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  const { variables } = environment
  const agents = await createFleet(variables, 'bench', publishers)
  const publishing = { mqttUrl: environment.engines.urls.mqtt, agents, metrics, inFlight: 50, samples: 1 }

  const measure = async (form: Publishing['form']): Promise<number> => {
    const child = fork(path.join(import.meta.dirname, 'publishers.ts'), { execPath: process.execPath })
    child.send({ ...publishing, form } satisfies Publishing)
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the publishers ended with ${code}`)
    })
    try {
      // Otherwise publishers that cannot connect would be waited for without end.
      await Promise.race([once(child, 'message'), ended])
      await sleep(warmUpS * 1000)
      const before = await insertedPoints(environment.engines.urls.victoria)
      const startedAt = performance.now()
      await sleep(steadyS * 1000)
      const points = (await insertedPoints(environment.engines.urls.victoria)) - before
      return points / ((performance.now() - startedAt) / 1000)
    } finally {
      child.kill('SIGKILL')
    }
  }

  try {
    const figures: { ours: number; bare: number }[] = []
    for (let round = 1; round <= rounds; round++) {
      const ingester = await startServerProcess({ ...variables, MANC_ROLES: 'ingester' })
      let ours: number
      try {
        ours = await measure('json')
        // The bare consumer uses the same queues: they must be empty before it starts.
        await untilEmpty(environment.engines.urls.rabbitmqManagement)
      } finally {
        await ingester.stop()
      }
      const bare = await startBare('ingest-mqtt.ts', {
        RABBITMQ_URL: variables['MANC_RABBITMQ_URL'] ?? '',
        VICTORIA_URL: environment.engines.urls.victoria,
      })
      let theirs: number
      try {
        theirs = await measure('lines')
        await sleep(3000)
      } finally {
        bare.stop()
      }
      figures.push({ ours, bare: theirs })
      log(
        `round ${round}: ours ${Math.round(ours)} points/s, bare ${Math.round(theirs)} points/s, ratio ${rounded(ours / theirs)}`,
      )
    }
    return {
      ratio: rounded(median(figures.map((pair) => pair.ours / pair.bare)), 3),
      ours_points_per_s: Math.round(median(figures.map((pair) => pair.ours))),
      bare_points_per_s: Math.round(median(figures.map((pair) => pair.bare))),
      publishers,
      metrics,
      steady_s: steadyS,
    }
  } finally {
    await environment.end()
  }
}
