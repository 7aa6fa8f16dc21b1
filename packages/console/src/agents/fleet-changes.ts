import type { FleetAgent, FleetChanges } from '@manc/sdk'

/** In the order of their ids, as before; undefined where the whole list has to be read again. */
export function withChanges(
  agents: FleetAgent[],
  { agents: changed, removed, is_complete: isComplete }: FleetChanges,
): FleetAgent[] | undefined {
  if (!isComplete) return undefined
  if (changed.length + removed.length === 0) return agents
  const news = new Map(changed.map((agent) => [agent.ap_id, agent]))
  const gone = new Set(removed.filter((apId) => !news.has(apId)))
  const kept = agents.filter(({ ap_id: apId }) => !gone.has(apId)).map((agent) => take(news, agent))
  return news.size === 0 ? kept : [...kept, ...news.values()].toSorted(byId)
}

/** What is left in the end is new. */
function take(news: Map<string, FleetAgent>, agent: FleetAgent): FleetAgent {
  const changed = news.get(agent.ap_id)
  news.delete(agent.ap_id)
  return changed ?? agent
}

const byId = (a: FleetAgent, b: FleetAgent) => (a.ap_id < b.ap_id ? -1 : 1)
