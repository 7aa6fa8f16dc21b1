import {
  type AgentState,
  type Box,
  type EmulatedChoice,
  type FleetAgent as FleetAgentOut,
  type Health,
  reasonText,
  type Technology,
} from '@manc/contract'
import type { Caller } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import type { FleetAgent, FleetFilter } from './fleet-list.store.ts'

/** The query parameters that choose agents. */
interface FilterQuery {
  ap_id?: string[]
  bbox?: Box
  unplaced?: boolean
  technology?: Technology[]
  state?: AgentState[]
  health?: Health[]
  q?: string
  emulated?: EmulatedChoice
}

export function filterOf(caller: Caller, query: FilterQuery): FleetFilter {
  const { ap_id: ids, bbox: box, unplaced, technology, state, health, q: text, emulated } = query
  return {
    view: viewOf(caller, emulated),
    ...(ids && { ids }),
    ...(box && { box }),
    ...(box && unplaced && { hasUnplaced: true }),
    ...(technology && { technologies: technology }),
    ...(state && { states: state }),
    ...(health && { healths: health }),
    ...(text !== undefined && { text }),
  }
}

export function toRecord(agent: FleetAgent): FleetAgentOut {
  const isOffline = agent.state === 'offline'
  // What the last samples said is not known to be true of an agent that is offline.
  const reasons = isOffline ? [] : agent.kpiReasons
  return {
    ap_id: agent.apId,
    name: agent.name,
    technology: agent.technology,
    state: agent.state,
    since: agent.since.toISOString(),
    last_seen: agent.lastSeen?.toISOString() ?? null,
    position:
      agent.latitude === null || agent.longitude === null
        ? null
        : { latitude: agent.latitude, longitude: agent.longitude },
    telemetry_interval_s: agent.intervalS,
    health: isOffline ? 'offline' : agent.kpiHealth,
    health_since: (isOffline ? agent.since : agent.kpiHealthSince).toISOString(),
    reason: reasonText(reasons, Date.now()),
    reasons,
  }
}
