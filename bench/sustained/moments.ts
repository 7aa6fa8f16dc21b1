import { call, type ServerProcess } from '@manc/harness'
import { type Depth, depthOf } from '../broker.ts'
import type { BenchEnvironment } from '../environment.ts'
import { machineTime, type Usage, usageOf, usageOfEngines } from '../usage.ts'
import type { Progress } from './agents.ts'
import type { Generator } from './generator.ts'

export const parts = ['ingester', 'api', 'rabbitmq', 'victoria', 'postgres', 'generator'] as const
export type Part = (typeof parts)[number]

/** All that can be seen of a running load at one moment. */
export interface Moment extends Progress {
  atS: number
  depth: Depth
  /** Messages that wait to be acknowledged or taken, in seconds of the rate at which they come. */
  lagS: number
  /** Age of the newest sample that a reader sees, of the agent that is worst off. */
  visibleLagS: number
  usage: Record<Part, Usage>
  busyS: number
  stolenS: number
}

export interface Scene {
  environment: BenchEnvironment
  ingester: ServerProcess
  generator: Generator
  agents: number
}

export const fleetPrefix = 'sustained'
const watched = 8
const windowS = 90

export async function look(
  { environment, ingester, generator, agents }: Scene,
  atS: number,
): Promise<Moment> {
  const { engines, server } = environment
  const usage = {
    ...usageOfEngines(engines.dir),
    ingester: usageOf([ingester.pid]),
    api: usageOf([server.pid]),
    // Whoever measures is no part of what is measured either.
    generator: usageOf([generator.pid, process.pid]),
  }
  const seen = { ...generator.progress(), atS, usage, ...machineTime() }
  const depth = await depthOf(engines.urls.rabbitmqManagement)
  // Where a reader sees nothing at all, nothing has arrived for a whole window, or ever.
  const visibleLagS = (await ageOfNewest(environment, agents)) ?? Math.min(windowS, atS)
  const lagS = (seen.due - seen.acknowledged + depth.ready) / agents
  return { ...seen, depth, lagS, visibleLagS }
}

/** As charts see it, of agents from all over the fleet: of the one that is worst off, in seconds. */
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
