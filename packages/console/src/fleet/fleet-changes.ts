import type { FleetAgent, FleetChanges } from '@manc/sdk'

/** The list with the changes applied, sorted by ID; undefined if the whole list must be read again. */
export function applyChanges(
  agents: FleetAgent[],
  { agents: changed, removed, is_complete: isComplete }: FleetChanges,
): FleetAgent[] | undefined {
  if (!isComplete) return undefined
  const changedById = new Map(changed.map((agent) => [agent.ap_id, agent]))
  const removedIds = new Set(removed)
  let isUnchanged = true
  const kept = agents.flatMap((agent) => {
    const next = changedById.get(agent.ap_id)
    changedById.delete(agent.ap_id)
    // Some changes are reported twice.
    const isSameAgent =
      !removedIds.has(agent.ap_id) && (!next || JSON.stringify(next) === JSON.stringify(agent))
    if (isSameAgent) return agent
    isUnchanged = false
    return next ?? []
  })
  // The remaining agents are new.
  if (changedById.size > 0)
    return [...kept, ...changedById.values()].toSorted((a, b) => (a.ap_id < b.ap_id ? -1 : 1))
  return isUnchanged ? agents : kept
}
