import { type FleetAgent as FleetAgentOut, fleetOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../access.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { FiguresService } from './figures.service.ts'
import type { FleetService } from './fleet.service.ts'
import type { FleetAgent } from './fleet-list.store.ts'

interface Deps {
  fleet: FleetService
  figures: FiguresService
}

export function fleetRoutes(app: FastifyInstance, { fleet, figures }: Deps): void {
  const { getFleetSummary, getFleetFigures, getFleetChanges, listFleetAgents } = operations

  serve(app, getFleetSummary, async ({ caller }) => fleet.summary(visibleTo(caller)))

  serve(app, getFleetFigures, async ({ caller }) => figures.figures(visibleTo(caller)))

  serve(app, getFleetChanges, async ({ query, caller }) => {
    const { agents, removed, isComplete, next } = await fleet.changes(visibleTo(caller), query.after)
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
      visible: visibleTo(caller),
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

const visibleTo = (caller: Caller) => (caller.kind === 'third_party_app' ? caller.agents : undefined)

function filtersOf({ bbox, technology = [], state = [], q }: Query): URLSearchParams {
  const filters = new URLSearchParams()
  if (bbox) filters.append('bbox', [bbox.west, bbox.south, bbox.east, bbox.north].join(','))
  for (const each of technology) filters.append('technology', each)
  for (const each of state) filters.append('state', each)
  if (q !== undefined) filters.append('q', q)
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
