import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, type ServerProcess, startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { type Bench, rounded } from './bench.ts'
import { coefficientOf, readCoefficients, writeCoefficients } from './capacity/coefficients.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'
import { insertedPoints } from './points.ts'
import type { Publishing } from './publishers.ts'
import { usageOf, usageOfEngines } from './usage.ts'

const publishers = 200
const metrics = 20
const telemetryQueues = 8

interface Step {
  ingesters: number
  /** Telemetry queues of each ingester. */
  queues: number[]
  points_per_s: number
  /** Cores that each process has used. */
  cores: Record<string, number | number[]>
}

/**
 * Points per second, queues and CPU time with 1, 2, 4 and 8 ingesters. The ratio is the rate with 8 against that with 1. The
 * largest message rate is a coefficient of `manc capacity`.
 */
export const ingesters: Bench = async ({ quick, log }) => {
  const [warmUpS, measuredS] = quick ? [5, 10] : [20, 60]
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  const running: ServerProcess[] = []
  const agents = await createFleet(environment.variables, 'bench', publishers)
  const child = fork(path.join(import.meta.dirname, 'publishers.ts'), { execPath: process.execPath })
  const publishing = { mqttUrl: environment.engines.urls.mqtt, agents, metrics, inFlight: 20, samples: 1 }
  try {
    child.send({ ...publishing, form: 'json' } satisfies Publishing)
    await once(child, 'message')
    const steps: Step[] = []
    for (const count of quick ? [1, 2] : [1, 2, 4, 8]) {
      while (running.length < count)
        running.push(await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' }))
      await untilShared(running)
      await sleep(warmUpS * 1000)
      const step = await measure(environment, running, child.pid ?? 0, measuredS)
      log(JSON.stringify(step))
      steps.push(step)
    }
    if (!quick) writeLimit(Math.max(...steps.map(({ points_per_s }) => points_per_s)) / metrics)
    return {
      ratio: rounded((steps.at(-1)?.points_per_s ?? 0) / (steps[0]?.points_per_s ?? Number.NaN), 3),
      steps,
    }
  } finally {
    child.kill('SIGKILL')
    for (const each of running) await each.stop('SIGKILL')
    await environment.end()
  }
}

function writeLimit(messagesPerS: number): void {
  const limit = { messages_per_s: coefficientOf('ingesters', Math.round(messagesPerS)) }
  writeCoefficients({ ...readCoefficients(), limit })
}

async function queuesOf({ internalUrl }: ServerProcess): Promise<number> {
  const { body } = await call(internalUrl, 'GET', '/metrics')
  return Number(/^manc_ingest_queues (\d+)$/m.exec(String(body))?.[1])
}

async function untilShared(running: readonly ServerProcess[]): Promise<void> {
  const share = telemetryQueues / running.length
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(200)) {
    const queues = await Promise.all(running.map(queuesOf))
    if (queues.every((count) => count === share)) return
  }
  throw new Error('the ingesters did not share the queues within 30 s')
}

async function measure(
  { engines, server }: BenchEnvironment,
  running: readonly ServerProcess[],
  generator: number,
  seconds: number,
): Promise<Step> {
  const cpu = () => {
    const { postgres, rabbitmq, victoria } = usageOfEngines(engines.dir)
    return {
      ingesters: running.map(({ pid }) => usageOf([pid]).cpuS),
      others: {
        api: usageOf([server.pid]).cpuS,
        postgres: postgres.cpuS,
        rabbitmq: rabbitmq.cpuS,
        victoria: victoria.cpuS,
        generator: usageOf([generator]).cpuS,
      },
    }
  }
  const [before, rows, startedAt] = [cpu(), await insertedPoints(engines.urls.victoria), performance.now()]
  await sleep(seconds * 1000)
  const [after, points] = [cpu(), (await insertedPoints(engines.urls.victoria)) - rows]
  const elapsedS = (performance.now() - startedAt) / 1000
  const cores = (now: number, then = 0) => rounded((now - then) / elapsedS, 2)
  return {
    ingesters: running.length,
    queues: await Promise.all(running.map(queuesOf)),
    points_per_s: Math.round(points / elapsedS),
    cores: {
      ingesters: after.ingesters.map((now, n) => cores(now, before.ingesters[n])),
      ...Object.fromEntries(
        Object.entries(after.others).map(([part, now]) => [
          part,
          cores(now, before.others[part as keyof typeof before.others]),
        ]),
      ),
    },
  }
}
