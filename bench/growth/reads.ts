import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '@manc/harness'
import { percentile, rounded } from '../bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts'
import { publishFleet } from './load.ts'
import { register } from './register.ts'

export interface Reads {
  summary_p99_ms: number
  /** Of the first read of a process, which has nothing in its cache. */
  figures_first_ms: number
  figures_p99_ms: number
  /** That the figures were computed from: those that sent within 30 s. */
  figures_agents: number
}

const pauseMs = 100

/** Times of the two reads that cover the whole fleet. */
export async function readFleet({ server, token }: BenchEnvironment, reads: number): Promise<Reads> {
  let agents = Number.NaN
  const readMs = async (name: string): Promise<number> => {
    const startedAt = performance.now()
    const response = await fetch(`${server.url}/api/v1/fleet/${name}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await response.json()) as { agents?: number }
    if (!response.ok) throw new Error(`${name}: ${response.status}`)
    agents = body.agents ?? agents
    return performance.now() - startedAt
  }
  const p99 = async (name: string): Promise<number> => {
    const took: number[] = []
    for (let n = 0; n < reads; n++) {
      took.push(await readMs(name))
      await sleep(pauseMs)
    }
    return rounded(percentile(took, 0.99), 1)
  }
  const summary = await p99('summary')
  const first = rounded(await readMs('figures'), 1)
  const figures = await p99('figures')
  return {
    summary_p99_ms: summary,
    figures_first_ms: first,
    figures_p99_ms: figures,
    figures_agents: agents,
  }
}

/** The same with so many agents that not all have sent, at the same message rate. */
export async function readLargest(options: {
  agents: number
  perSecond: number
  metrics: number
  reads: number
  /** Before the reads. */
  sentS: number
  log: (line: string) => void
}): Promise<Reads> {
  const { agents, perSecond, sentS, reads, log } = options
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  await register(environment, agents, log)
  const load = publishFleet(environment, { agents, perSecond, metrics: options.metrics })
  try {
    await load.until(perSecond * sentS)
    return await readFleet(environment, reads)
  } finally {
    load.stop()
    await ingester.stop('SIGKILL')
    await environment.end()
  }
}
