import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { createBenchEnvironment } from '../environment.ts'
import { insertedPoints } from '../points.ts'
import type { Publishing } from '../publishers.ts'

const publishers = 20
const metrics = 20
/** Unacknowledged samples of each agent, so that large batches do not need more memory. */
const samplesInFlight = 100

export interface Batch {
  samples_per_message: number
  points_per_s: number
}

/** Points per second at full speed of agents that send several samples in a message. */
export async function measureBatches(quick: boolean, log: (line: string) => void): Promise<Batch[]> {
  const [warmUpS, measuredS] = quick ? [4, 6] : [20, 20]
  const batches: Batch[] = []
  for (const samples of quick ? [1, 10] : [1, 3, 10, 30, 100]) {
    const environment = await createBenchEnvironment(log, { ownBroker: true })
    const { victoria, mqtt } = environment.engines.urls
    const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
    const child = fork(path.join(import.meta.dirname, '../publishers.ts'), { execPath: process.execPath })
    try {
      const agents = await createFleet(environment.variables, 'batch', publishers)
      const inFlight = Math.max(2, Math.ceil(samplesInFlight / samples))
      child.send({ mqttUrl: mqtt, agents, metrics, inFlight, samples, form: 'json' } satisfies Publishing)
      await once(child, 'message')
      await sleep(warmUpS * 1000)
      const [before, startedAt] = [await insertedPoints(victoria), performance.now()]
      await sleep(measuredS * 1000)
      const points = (await insertedPoints(victoria)) - before
      const pointsPerS = Math.round((points * 1000) / (performance.now() - startedAt))
      log(`${samples} samples in a message: ${pointsPerS} points/s`)
      batches.push({ samples_per_message: samples, points_per_s: pointsPerS })
    } finally {
      child.kill('SIGKILL')
      await ingester.stop('SIGKILL')
      await environment.end()
    }
  }
  return batches
}
