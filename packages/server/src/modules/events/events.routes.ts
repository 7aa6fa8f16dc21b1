import { type EmulatedChoice, type EventKind, eventIdOf, eventOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../access.ts'
import { viewOf as agentViewOf } from '../../agent-views.ts'
import { jsonLines } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import { toRecord } from './event-record.format.ts'
import type { EventService } from './events.service.ts'
import {
  adminKinds,
  alarmKinds,
  clientKinds,
  decisionKinds,
  type EventChoice,
  type EventFilter,
  type EventView,
  positionOf,
} from './events.types.ts'

type Query = Static<typeof operations.exportEvents.query>

export function eventRoutes(app: FastifyInstance, events: EventService): void {
  const { listEvents, exportEvents } = operations

  // The limit has a default in the contract, which validation applies.
  serve(app, listEvents, async ({ query: { limit = Number.NaN, after, ...query }, caller }, reply) => {
    const page = await events.page(filterOf(query, caller), after, limit)
    const last = page.at(-1)
    if (last && page.length === limit)
      linkNext(reply, listEvents, limit, eventIdOf(positionOf(last)), textsOf(query))
    return page.map(toRecord)
  })

  serve(app, exportEvents, async ({ query, caller }) => jsonLines(events.all(filterOf(query, caller))))
}

function filterOf(query: Query, caller: Caller): EventFilter {
  const { from, to } = query
  return {
    view: viewOf(caller, query.emulated),
    ...choiceOf(query),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** What a caller may see. */
export const viewOf = (caller: Caller, emulated: EmulatedChoice = 'own'): EventView => ({
  ...agentViewOf(caller, emulated),
  hiddenKinds: hiddenFrom(caller),
})

function hiddenFrom(caller: Caller): readonly EventKind[] {
  if (caller.kind === 'user' && caller.rank === 'admin') return []
  if (caller.kind !== 'third_party_app') return adminKinds
  return [
    ...adminKinds,
    ...(caller.may('listAlarms', 'alarms:read') ? [] : alarmKinds),
    ...(caller.may('listClients', 'clients:read') ? [] : clientKinds),
    ...(caller.may('listDecisions', 'decisions:read') ? [] : decisionKinds),
  ]
}

export const choiceOf = ({ ap_id: apId, kind, severity }: Query): EventChoice => ({
  ...(apId !== undefined && { apId }),
  ...(kind && { kinds: kind }),
  ...(severity && { severities: severity }),
})

function textsOf({ kind = [], severity = [], ap_id: apId, emulated, from, to }: Query): URLSearchParams {
  const texts = new URLSearchParams()
  if (apId !== undefined) texts.append('ap_id', apId)
  for (const each of kind) texts.append('kind', each)
  for (const each of severity) texts.append('severity', each)
  if (emulated !== undefined) texts.append('emulated', emulated)
  if (from) texts.append('from', from.toISOString())
  if (to) texts.append('to', to.toISOString())
  return texts
}
