import { fleetTrendOperations, healths, mapOperations, fleetOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { viewOf } from '../../agent-views.ts'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { FiguresService } from './figures.service.ts'
import { filterOf, toRecord } from './fleet.format.ts'
import type { FleetService } from './fleet.service.ts'
import type { HealthPosition } from './fleet-list.store.ts'
import type { TrendsService } from './trends.service.ts'

interface Deps {
  fleet: FleetService
  figures: FiguresService
  trends: TrendsService
  /** As JSON. */
  mapLayers: string
}

export function fleetRoutes(app: FastifyInstance, { fleet, figures, trends, mapLayers }: Deps): void {
  const { getFleetSummary, getFleetFigures, getFleetChanges, listFleetAgents } = operations

  serve(app, getFleetSummary, async ({ query, caller }) => fleet.summary(viewOf(caller, query.emulated)))

  serve(app, getFleetFigures, async ({ query, caller }) => {
    const view = viewOf(caller, query.emulated)
    const answer = await figures.figures(view)
    return query.loads ? { ...answer, loads: await figures.loads(view) } : answer
  })

  serve(app, fleetTrendOperations.getFleetTrends, async ({ query, caller }) =>
    trends.trends(viewOf(caller, query.emulated)),
  )

  serve(app, mapOperations.getMapLayers, async () => mapLayers)

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
    const { limit = Number.NaN, after } = query
    const filter = filterOf(caller, query)
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

function positionOf(after: string | undefined): HealthPosition | undefined {
  if (after === undefined) return undefined
  const [name] = after.split(':', 1)
  const health = healths.find((each) => each === name)
  if (health) return { health, apId: after.slice(health.length + 1) }
  throw wrongAfter('a health, a colon and an id')
}

function filtersOf({
  ap_id: ids = [],
  bbox,
  unplaced,
  technology = [],
  state = [],
  health = [],
  q,
  emulated,
  sort,
}: Query): URLSearchParams {
  const filters = new URLSearchParams()
  for (const each of ids) filters.append('ap_id', each)
  if (bbox) filters.append('bbox', [bbox.west, bbox.south, bbox.east, bbox.north].join(','))
  if (unplaced !== undefined) filters.append('unplaced', String(unplaced))
  for (const each of technology) filters.append('technology', each)
  for (const each of state) filters.append('state', each)
  for (const each of health) filters.append('health', each)
  if (q !== undefined) filters.append('q', q)
  if (sort !== undefined) filters.append('sort', sort)
  if (emulated !== undefined) filters.append('emulated', emulated)
  return filters
}

type Query = Static<typeof operations.listFleetAgents.query>
