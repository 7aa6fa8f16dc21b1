import type { FleetAgent, FleetChanges } from '@manc/sdk'

/** In the order of their ids, as before; undefined where the whole list has to be read again. */
export function applyChanges(
  agents: FleetAgent[],
  { agents: told, removed, is_complete: isComplete }: FleetChanges,
): FleetAgent[] | undefined {
  if (!isComplete) return undefined
  const news = new Map(told.map((agent) => [agent.ap_id, agent]))
  const gone = new Set(removed)
  let isSame = true
  const kept = agents.flatMap((agent) => {
    const now = news.get(agent.ap_id)
    news.delete(agent.ap_id)
    // Some are told twice.
    const isAsBefore = !gone.has(agent.ap_id) && (!now || JSON.stringify(now) === JSON.stringify(agent))
    if (isAsBefore) return agent
    isSame = false
    return now ?? []
  })
  // What is left is new.
  if (news.size > 0) return [...kept, ...news.values()].toSorted((a, b) => (a.ap_id < b.ap_id ? -1 : 1))
  return isSame ? agents : kept
}
