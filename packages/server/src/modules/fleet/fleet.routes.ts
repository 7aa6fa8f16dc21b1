import {
  type EmulatedChoice,
  type FleetAgent as FleetAgentOut,
  fleetOperations as operations,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { type Caller, idOf } from '../../access.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { FiguresService } from './figures.service.ts'
import type { FleetService } from './fleet.service.ts'
import type { FleetAgent, FleetView } from './fleet-list.store.ts'

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
    const { bbox: box, technology, state, q: text, limit = Number.NaN, after = '' } = query
    const filter = {
      view: viewOf(caller, query.emulated),
      ...(box && { box }),
      ...(technology && { technologies: technology }),
      ...(state && { states: state }),
      ...(text !== undefined && { text }),
    }
    const page = await fleet.page(filter, after, limit)
    if (page.length === limit) linkNext(reply, listFleetAgents, limit, page.at(-1)?.apId, filtersOf(query))
    return page.map(toRecord)
  })
}

const viewOf = (caller: Caller, emulated: EmulatedChoice = 'own'): FleetView => ({
  patterns: caller.kind === 'third_party_app' ? caller.agents : undefined,
  emulated,
  owner: idOf(caller),
})

function filtersOf({ bbox, technology = [], state = [], q, emulated }: Query): URLSearchParams {
  const filters = new URLSearchParams()
  if (bbox) filters.append('bbox', [bbox.west, bbox.south, bbox.east, bbox.north].join(','))
  for (const each of technology) filters.append('technology', each)
  for (const each of state) filters.append('state', each)
  if (q !== undefined) filters.append('q', q)
  if (emulated !== undefined) filters.append('emulated', emulated)
  return filters
}

type Query = Static<typeof operations.listFleetAgents.query>

const toRecord = (agent: FleetAgent): FleetAgentOut => ({
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
})
