import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import type { ProcessName } from '../../packages/cli/src/capacity/coefficients.types.ts'
import type { Load, Usage } from '../../packages/cli/src/capacity/usage.ts'
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts'
import { type Generator, startGenerator } from '../sustained/generator.ts'
import { usageOf, usageOfEngines } from '../usage.ts'

export interface Size {
  agents: number
  perSecond: number
  metrics: number
}

export interface Measured {
  load: Load
  usage: Record<ProcessName, Usage>
}

interface StepOptions {
  cluster?: boolean
  /** Acknowledgements of the ingester begin 15 s after the first sample. */
  settleS: number
  measuredS: number
  log: (line: string) => void
}

/** Of the message rate. */
const maxDeviation = 0.03
const brokers = ['rabbitmq-1', 'rabbitmq-2', 'rabbitmq-3'] as const

/** What each process uses at this size, with agents that are connected over MQTT, on fresh engines. */
export async function measureStep(size: Size, options: StepOptions): Promise<Measured> {
  const cluster = options.cluster === true
  const environment = await createBenchEnvironment(options.log, { ownBroker: true, roles: 'api', cluster })
  const processes: ServerProcess[] = []
  const generators: Generator[] = []
  try {
    for (const MANC_ROLES of ['ingester', 'subscriber'])
      processes.push(
        await startServerProcess({
          ...environment.variables,
          MANC_API_URL: environment.server.url,
          MANC_ROLES,
        }),
      )
    generators.push(...(await connectAll(environment, size, cluster)))
    for (const each of generators) each.send()
    await sleep(options.settleS * 1000)
    return await measure(environment, processes, generators, size, options)
  } finally {
    for (const each of generators) each.kill()
    for (const each of processes) await each.stop('SIGKILL')
    await environment.end()
  }
}

/** One process with agents for each broker. */
async function connectAll(
  { engines, variables }: BenchEnvironment,
  { agents, perSecond, metrics }: Size,
  cluster: boolean,
): Promise<Generator[]> {
  const database = cluster && { MANC_DATABASE_URL: engines.urlsOf(await engines.primary()).postgres }
  const fleet = await createFleet({ ...variables, ...database }, 'capacity', agents)
  const urls = cluster ? brokers.map((node) => engines.urlsOf(node).mqtt) : [engines.urls.mqtt]
  return Promise.all(
    urls.map((mqttUrl, n) =>
      startGenerator({
        mqttUrl,
        agents: fleet.filter((_, index) => index % urls.length === n),
        perSecond: perSecond / urls.length,
        metrics,
        samples: 1,
        subscribes: true,
      }),
    ),
  )
}

async function measure(
  { engines, server }: BenchEnvironment,
  [ingester, subscriber]: readonly ServerProcess[],
  generators: readonly Generator[],
  { agents, perSecond, metrics }: Size,
  { measuredS }: StepOptions,
): Promise<Measured> {
  const usage = () => ({
    ...usageOfEngines(engines.dir),
    ingester: usageOf([ingester?.pid ?? 0]),
    api: usageOf([server.pid]),
    subscriber: usageOf([subscriber?.pid ?? 0]),
  })
  const acknowledged = () => generators.reduce((sum, each) => sum + each.progress().acknowledged, 0)
  const [before, from, startedAt] = [usage(), acknowledged(), performance.now()]
  await sleep(measuredS * 1000)
  const [after, elapsedS] = [usage(), (performance.now() - startedAt) / 1000]
  // The generators report once a second.
  const messagesPerS = (acknowledged() - from) / elapsedS
  if (Math.abs(messagesPerS / perSecond - 1) > maxDeviation + 1 / measuredS)
    throw new Error(`${Math.round(messagesPerS)} messages/s were acknowledged, not ${perSecond}`)
  const parts = Object.entries(after).map(([part, { cpuS, rssBytes }]) => {
    const cores = (cpuS - before[part as ProcessName].cpuS) / elapsedS
    return [part, { cores, memoryMib: rssBytes / 2 ** 20 }] as const
  })
  return {
    load: { agents, messagesPerS: perSecond, pointsPerS: perSecond * metrics, series: agents * metrics },
    usage: Object.fromEntries(parts) as Record<ProcessName, Usage>,
  }
}
