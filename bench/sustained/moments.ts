import { call, type ServerProcess } from '@manc/harness'
import { type Depth, depthOf } from '../broker.ts'
import type { BenchEnvironment } from '../environment.ts'
import { machineTime, type Usage, usageOf, usageOfEngines } from '../usage.ts'
import type { Progress } from './agents.ts'
import type { Generator } from './generator.ts'

export const parts = ['ingester', 'api', 'rabbitmq', 'victoria', 'postgres', 'generator'] as const
export type Part = (typeof parts)[number]

/** Measurements of a running load at one moment. */
export interface Moment extends Progress {
  atS: number
  depth: Depth
  /** Backlog of unacknowledged and ready messages, in seconds at the incoming rate. */
  lagS: number
  /** Age of the newest readable sample, for the worst agent. */
  visibleLagS: number
  usage: Record<Part, Usage>
  busyS: number
  stolenS: number
}

export interface Run {
  environment: BenchEnvironment
  ingester: ServerProcess
  generator: Generator
  agents: number
}

export const fleetPrefix = 'sustained'
const watched = 8
const windowS = 90

export async function measure(
  { environment, ingester, generator, agents }: Run,
  atS: number,
): Promise<Moment> {
  const { engines, server } = environment
  const usage = {
    ...usageOfEngines(engines.dir),
    ingester: usageOf([ingester.pid]),
    api: usageOf([server.pid]),
    // The measuring process is excluded, too.
    generator: usageOf([generator.pid, process.pid]),
  }
  const seen = { ...generator.progress(), atS, usage, ...machineTime() }
  const depth = await depthOf(engines.urls.rabbitmqManagement)
  // An empty result means that nothing arrived for a whole window.
  const visibleLagS = (await ageOfNewest(environment, agents)) ?? Math.min(windowS, atS)
  const lagS = (seen.due - seen.acknowledged + depth.ready) / agents
  return { ...seen, depth, lagS, visibleLagS }
}

/** As charts read it, for agents from the whole fleet: the worst, in seconds. */
async function ageOfNewest({ server, token }: BenchEnvironment, agents: number): Promise<number | undefined> {
  const ages = Array.from({ length: watched }, async (_, n) => {
    const apId = `${fleetPrefix}-${Math.floor((n * agents) / watched)}`
    const path = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=clients&window=${windowS}s`
    const { status, body } = await call(server.url, 'GET', path, { token })
    const newest = status === 200 ? body.series[0].points.at(-1)?.ts : undefined
    return (Date.now() - Date.parse(newest)) / 1000
  })
  const oldest = Math.max(...(await Promise.all(ages)))
  return Number.isNaN(oldest) ? undefined : oldest
}
