import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { rounded } from '../bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts'
import { storeSize } from '../store-size.ts'
import { type Generator, startGenerator } from '../sustained/generator.ts'
import { type Usage, usageOf, usageOfEngines } from '../usage.ts'
import { prefix, publishFleet } from './load.ts'
import { type Reads, readFleet } from './reads.ts'
import { databaseKib, register } from './register.ts'

interface StepOptions {
  agents: number
  perSecond: number
  metrics: number
  measuredS: number
  /** Of the summary and of the figures. */
  reads: number
  log: (line: string) => void
}

export interface Step extends Reads {
  agents: number
  /** Of these, with an idle MQTT connection. */
  connected: number
  messages_per_s: number
  /** CPU time for each message, in microseconds, without what idle processes and connections need. */
  cpu_us: Record<string, number>
  /** CPU time without any message, in milliseconds for each second. */
  idle_ms_per_s: Record<string, number>
  rss_mib: Record<string, number>
  disk: { store_bytes_per_point: number; database_kib_per_agent: number }
}

/** The broker and the agents need a file handle for each connection; processes here may open 20,000. */
const maxConnected = 10_000
/** Then an agent is claimed, and its first health is written, which is done once for each agent. */
const firstSamples = 4
/** After that: caches are full, and the first merges of the store are done. At least the time after which a health counts. */
const settleS = 35
/** Connections without messages. */
const unloadedS = 20

/** The cost of a message with this many registered agents that all send, on fresh engines. */
export async function runStep(options: StepOptions): Promise<Step> {
  const { agents, perSecond, log } = options
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  const connected = Math.min(agents, maxConnected)
  let idle: Generator | undefined
  let load: ReturnType<typeof publishFleet> | undefined
  try {
    const fleet = await createFleet(environment.variables, prefix, connected)
    await register(environment, agents, log)
    log(`connecting ${connected} agents …`)
    const { mqtt } = environment.engines.urls
    idle = await startGenerator({
      mqttUrl: mqtt,
      agents: fleet,
      perSecond: 0,
      metrics: options.metrics,
      samples: 1,
      subscribes: true,
    })
    // It reports lost connections from now on.
    idle.send()
    log(`without messages: ${unloadedS} s, then ${options.measuredS} s …`)
    await sleep(unloadedS * 1000)
    const idleMsPerS = await measureIdle(environment, ingester, options.measuredS)
    load = publishFleet(environment, options)
    const first = firstSamples * agents
    log(
      `each of ${agents} agents sends ${firstSamples} samples: ${Math.ceil(first / perSecond)} s, then ${settleS} s …`,
    )
    await load.until(first)
    await sleep(settleS * 1000)
    const confirmed = () => load?.confirmed() ?? 0
    const cost = await measure(environment, ingester, { confirmed, idleMsPerS, seconds: options.measuredS })
    const { lostConnections } = idle.progress()
    if (lostConnections > 0) throw new Error(`${lostConnections} connections were closed`)
    const reads = await readFleet(environment, options.reads)
    return { agents, connected, ...cost, disk: await diskOf(environment, agents), ...reads }
  } finally {
    idle?.kill()
    load?.stop()
    await ingester.stop('SIGKILL')
    await environment.end()
  }
}

const usageNow = ({ engines, server }: BenchEnvironment, ingester: ServerProcess): Record<string, Usage> => ({
  ingester: usageOf([ingester.pid]),
  api: usageOf([server.pid]),
  ...usageOfEngines(engines.dir),
})

/** CPU time of each part between two readings, in seconds. */
const cpuBetween = (before: Record<string, Usage>, after: Record<string, Usage>) =>
  Object.entries(after).map(([part, { cpuS }]) => [part, cpuS - (before[part]?.cpuS ?? 0)] as const)

/** What registered and connected agents cost that send nothing. */
async function measureIdle(
  environment: BenchEnvironment,
  ingester: ServerProcess,
  seconds: number,
): Promise<Record<string, number>> {
  const [before, startedAt] = [usageNow(environment, ingester), performance.now()]
  await sleep(seconds * 1000)
  const cpu = cpuBetween(before, usageNow(environment, ingester))
  const elapsedS = (performance.now() - startedAt) / 1000
  return Object.fromEntries(cpu.map(([part, cpuS]) => [part, rounded((cpuS * 1000) / elapsedS, 2)]))
}

async function measure(
  environment: BenchEnvironment,
  ingester: ServerProcess,
  options: { confirmed: () => number; idleMsPerS: Record<string, number>; seconds: number },
): Promise<Pick<Step, 'messages_per_s' | 'cpu_us' | 'idle_ms_per_s' | 'rss_mib'>> {
  const { confirmed, idleMsPerS, seconds } = options
  const [before, from, startedAt] = [usageNow(environment, ingester), confirmed(), performance.now()]
  await sleep(seconds * 1000)
  const [after, messages] = [usageNow(environment, ingester), confirmed() - from]
  const elapsedS = (performance.now() - startedAt) / 1000
  const cpu = cpuBetween(before, after).map(([part, cpuS]) => {
    const idleS = ((idleMsPerS[part] ?? 0) / 1000) * elapsedS
    return [part, rounded(((cpuS - idleS) * 1e6) / messages, 1)] as const
  })
  const all = cpu.reduce((sum, [, us]) => sum + us, 0)
  return {
    messages_per_s: Math.round(messages / elapsedS),
    cpu_us: { ...Object.fromEntries(cpu), all: rounded(all, 1) },
    idle_ms_per_s: idleMsPerS,
    rss_mib: Object.fromEntries(
      Object.entries(after).map(([part, { rssBytes }]) => [part, Math.round(rssBytes / 2 ** 20)]),
    ),
  }
}

async function diskOf(environment: BenchEnvironment, agents: number): Promise<Step['disk']> {
  const { dataBytes, points } = await storeSize(environment.engines.urls.victoria)
  return {
    store_bytes_per_point: rounded(dataBytes / points, 2),
    database_kib_per_agent: rounded(await databaseKib(environment, agents), 2),
  }
}
