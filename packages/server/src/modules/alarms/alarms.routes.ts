import { type Alarm, alarmOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { viewOf } from '../../agent-views.ts'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { AlarmService } from './alarms.service.ts'
import type { AlarmRow } from './alarms.types.ts'

type Query = Static<typeof operations.listAlarms.query>

export function alarmRoutes(app: FastifyInstance, alarms: AlarmService): void {
  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listAlarms, async ({ query, caller }, reply) => {
    const { limit = Number.NaN, after, state = 'open', severity, technology, acknowledged } = query
    const { silenced, inhibited } = query
    if (after !== undefined && !/^\d{1,18}$/.test(after)) throw wrongAfter('the id of an alarm')
    const filter = {
      view: viewOf(caller, query.emulated),
      state,
      ...(severity && { severities: severity }),
      ...(query.ap_id !== undefined && { apId: query.ap_id }),
      ...(query.rule !== undefined && { ruleId: query.rule }),
      ...(technology && { technologies: technology }),
      ...(acknowledged !== undefined && { isAcknowledged: acknowledged === 'true' }),
      ...(silenced !== undefined && { isSilenced: silenced === 'true' }),
      ...(inhibited !== undefined && { isInhibited: inhibited === 'true' }),
      ...(query.from && { from: query.from }),
      ...(query.to && { to: query.to }),
    }
    const page = await alarms.page(filter, after, limit)
    if (page.length === limit) linkNext(reply, operations.listAlarms, limit, page.at(-1)?.id, textsOf(query))
    return page.map(toRecord)
  })

  serve(app, operations.getAlarm, async ({ params, caller }) =>
    toRecord(await alarms.get(viewOf(caller, 'all'), params.id)),
  )

  serve(app, operations.getAlarmSummary, async ({ query, caller }) =>
    alarms.summary(viewOf(caller, query.emulated)),
  )

  serve(app, operations.acknowledgeAlarm, async ({ params, body, caller, by }) =>
    toRecord(await alarms.acknowledge(viewOf(caller, 'all'), params.id, body.comment, by)),
  )

  serve(app, operations.acknowledgeAlarms, async ({ body, caller, by }) => {
    const ids = [...new Set(body.ids)]
    const done = new Set(await alarms.acknowledgeAll(viewOf(caller, 'all'), ids, body.comment, by))
    return { acknowledged: done.size, not_acknowledged: ids.filter((id) => !done.has(id)) }
  })

  serve(app, operations.assignAlarm, async ({ params, body, caller, by }) =>
    toRecord(await alarms.assign(viewOf(caller, 'all'), params.id, body.username, by)),
  )
}

function textsOf({ severity = [], technology = [], ...query }: Query): URLSearchParams {
  const texts = new URLSearchParams()
  for (const each of severity) texts.append('severity', each)
  for (const each of technology) texts.append('technology', each)
  for (const name of [
    'state',
    'ap_id',
    'rule',
    'acknowledged',
    'silenced',
    'inhibited',
    'emulated',
  ] as const) {
    const value = query[name]
    if (value !== undefined) texts.append(name, value)
  }
  for (const name of ['from', 'to'] as const) {
    const value = query[name]
    if (value) texts.append(name, value.toISOString())
  }
  return texts
}

const toRecord = (alarm: AlarmRow): Alarm => ({
  id: alarm.id,
  rule_id: alarm.ruleId,
  rule: alarm.ruleName,
  severity: alarm.severity,
  metric: alarm.metric,
  ap_id: alarm.apId,
  technology: alarm.technology,
  state: alarm.clearedAt ? 'cleared' : 'open',
  value: alarm.value,
  raised_at: alarm.raisedAt.toISOString(),
  cleared_at: alarm.clearedAt?.toISOString() ?? null,
  clear_reason: alarm.clearReason,
  is_flapping: alarm.isFlapping,
  is_inhibited: alarm.inhibitedBy !== null,
  inhibited_by: alarm.inhibitedBy,
  is_silenced: alarm.silencedUntil !== null,
  silenced_until: alarm.silencedUntil?.toISOString() ?? null,
  acknowledged_by: alarm.acknowledgedBy,
  acknowledged_at: alarm.acknowledgedAt?.toISOString() ?? null,
  comment: alarm.comment,
  assignee: alarm.assignee,
})
