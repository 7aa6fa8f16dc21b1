import { silenceOperations as operations, type Silence, weekdays } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, idOf } from '../../access.ts'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import { isUuid } from '../../ids.ts'
import type { SilenceService } from './silences.service.ts'
import type { SilenceRow, SilenceView } from './silences.types.ts'

export function silenceRoutes(app: FastifyInstance, silences: SilenceService): void {
  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listSilences, async ({ query, caller }, reply) => {
    const { limit = Number.NaN, after, state = ['active', 'scheduled'] } = query
    if (after !== undefined && !isUuid(after)) throw wrongAfter('the id of a silence')
    const page = await silences.page(viewOf(caller), state, after, limit)
    const filters = new URLSearchParams(state.map((each): [string, string] => ['state', each]))
    if (page.length === limit) linkNext(reply, operations.listSilences, limit, page.at(-1)?.id, filters)
    return page.map(toRecord)
  })

  serve(app, operations.createSilence, async ({ body, caller, by }) =>
    toRecord(await silences.create(viewOf(caller), body, by)),
  )

  serve(app, operations.updateSilence, async ({ params, body, caller, by }) =>
    toRecord(await silences.update(viewOf(caller), params.id, body, by)),
  )

  serve(app, operations.endSilence, async ({ params, caller, by }) => {
    await silences.end(viewOf(caller), params.id, by)
    return done('The silence was ended.')
  })
}

const viewOf = (caller: Caller): SilenceView => ({
  owner: idOf(caller),
  patterns: caller.kind === 'third_party_app' ? caller.agents : undefined,
})

const toRecord = (silence: SilenceRow): Silence => ({
  id: silence.id,
  comment: silence.comment,
  rule_ids: [...silence.ruleIds],
  technologies: [...silence.technologies],
  ap_ids: [...silence.apIds],
  starts_at: silence.startsAt.toISOString(),
  ends_at: silence.endsAt?.toISOString() ?? null,
  recurrence: recurrenceOf(silence),
  state: silence.state,
  active_until: silence.activeUntil?.toISOString() ?? null,
  next_start_at: silence.nextStartAt?.toISOString() ?? null,
  created_by: silence.createdBy,
  created_at: silence.createdAt.toISOString(),
})

function recurrenceOf({ days, startTime, durationMin, timeZone }: SilenceRow): Silence['recurrence'] {
  if (days === null || startTime === null || durationMin === null || timeZone === null) return null
  return {
    days: weekdays.filter((_, index) => days.includes(index + 1)),
    at: startTime,
    duration_min: durationMin,
    time_zone: timeZone,
  }
}
