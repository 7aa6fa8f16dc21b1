import { MetricsStore } from '@manc/harness/metrics-store'
import type { Deployment } from './deployment.ts'
import { stores } from './health.ts'

/** A request for the history of an agent, and all points of its result. */
export interface HistoryOfAgent {
  path: string
  points: unknown[]
}

const count = 300

/** Written to all stores directly, and never changed. */
export async function createHistory(deployment: Deployment): Promise<HistoryOfAgent> {
  const [agent] = await deployment.createAgents('history', 1)
  if (!agent) throw new Error('no agent was created')
  const startMs = Math.floor(Date.now() / 1000) * 1000 - 2 * count * 1000
  const samples = Array.from({ length: count }, (_, n) => ({
    at: startMs + n * 1000,
    metrics: { clients: n },
  }))
  for (const node of stores)
    await new MetricsStore(deployment.engines.urlsOf(node).victoria).write(agent.apId, samples)
  const points = samples.map(({ at, metrics }) => ({
    time: new Date(at).toISOString(),
    field: 'clients',
    value: metrics.clients,
  }))
  const period = new URLSearchParams({
    agent_id: agent.apId,
    start_time: points[0]?.time ?? '',
    end_time: points.at(-1)?.time ?? '',
  })
  return { path: `/api/v1/agent_data/request_agent_data?${period.toString()}`, points }
}
