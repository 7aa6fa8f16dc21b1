import {
  type EmulatedChoice,
  type FleetAgent as FleetAgentOut,
  healths,
  fleetOperations as operations,
  reasonText,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { type Caller, idOf } from '../../access.ts'
import { invalid } from '../../errors.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { FiguresService } from './figures.service.ts'
import type { FleetService } from './fleet.service.ts'
import type { FleetAgent, FleetView, HealthPosition } from './fleet-list.store.ts'

interface Deps {
  fleet: FleetService
  figures: FiguresService
}

export function fleetRoutes(app: FastifyInstance, { fleet, figures }: Deps): void {
  const { getFleetSummary, getFleetFigures, getFleetChanges, listFleetAgents } = operations

  serve(app, getFleetSummary, async ({ query, caller }) => fleet.summary(viewOf(caller, query.emulated)))

  serve(app, getFleetFigures, async ({ query, caller }) => figures.figures(viewOf(caller, query.emulated)))

  serve(app, getFleetChanges, async ({ query, caller }) => {
    const view = viewOf(caller, query.emulated)
    const { agents, removed, isComplete, next } = await fleet.changes(view, query.after)
    return {
      agents: agents.map(toRecord),
      removed,
      is_complete: isComplete,
      next: [next.transaction, next.atS, next.table, next.view].join('.'),
    }
  })

  serve(app, listFleetAgents, async ({ query, caller }, reply) => {
    // Validation fills in the contract's default for the limit.
    const { bbox: box, technology, state, health, q: text, limit = Number.NaN, after } = query
    const filter = {
      view: viewOf(caller, query.emulated),
      ...(box && { box }),
      ...(technology && { technologies: technology }),
      ...(state && { states: state }),
      ...(health && { healths: health }),
      ...(text !== undefined && { text }),
    }
    const isByHealth = query.sort === 'health'
    const page = isByHealth
      ? await fleet.pageByHealth(filter, positionOf(after), limit)
      : await fleet.page(filter, after ?? '', limit)
    const agents = page.map(toRecord)
    const last = agents.at(-1)
    if (page.length === limit && last)
      linkNext(
        reply,
        listFleetAgents,
        limit,
        isByHealth ? `${last.health}:${last.ap_id}` : last.ap_id,
        filtersOf(query),
      )
    return agents
  })
}

const viewOf = (caller: Caller, emulated: EmulatedChoice = 'own'): FleetView => ({
  patterns: caller.kind === 'third_party_app' ? caller.agents : undefined,
  emulated,
  owner: idOf(caller),
})

function positionOf(after: string | undefined): HealthPosition | undefined {
  if (after === undefined) return undefined
  const [name] = after.split(':', 1)
  const health = healths.find((each) => each === name)
  if (health) return { health, apId: after.slice(health.length + 1) }
  const msg = 'Value error, after should be a health, a colon and an id: follow the Link header'
  throw invalid([{ loc: ['query', 'after'], msg, type: 'value_error' }])
}

function filtersOf({
  bbox,
  technology = [],
  state = [],
  health = [],
  q,
  emulated,
  sort,
}: Query): URLSearchParams {
  const filters = new URLSearchParams()
  if (bbox) filters.append('bbox', [bbox.west, bbox.south, bbox.east, bbox.north].join(','))
  for (const each of technology) filters.append('technology', each)
  for (const each of state) filters.append('state', each)
  for (const each of health) filters.append('health', each)
  if (q !== undefined) filters.append('q', q)
  if (sort !== undefined) filters.append('sort', sort)
  if (emulated !== undefined) filters.append('emulated', emulated)
  return filters
}

type Query = Static<typeof operations.listFleetAgents.query>

function toRecord(agent: FleetAgent): FleetAgentOut {
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
