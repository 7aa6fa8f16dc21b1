import {
  type Alarm,
  type AlarmRule,
  type EmulatedChoice,
  alarmOperations as operations,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { type Caller, idOf } from '../../access.ts'
import { invalid } from '../../errors.ts'
import { linkNext } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import type { AlarmService } from './alarms.service.ts'
import type { AlarmRow, AlarmView, RuleRow } from './alarms.types.ts'
import type { RuleService } from './rules.service.ts'

interface Deps {
  alarms: AlarmService
  rules: RuleService
}

type Query = Static<typeof operations.listAlarms.query>

export function alarmRoutes(app: FastifyInstance, { alarms, rules }: Deps): void {
  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listAlarms, async ({ query, caller }, reply) => {
    const { limit = Number.NaN, after, state = 'open', severity, technology, acknowledged } = query
    if (after !== undefined && !/^\d{1,18}$/.test(after)) throw wrongAfter()
    const filter = {
      view: viewOf(caller, query.emulated),
      state,
      ...(severity && { severities: severity }),
      ...(query.ap_id !== undefined && { apId: query.ap_id }),
      ...(query.rule !== undefined && { ruleId: query.rule }),
      ...(technology && { technologies: technology }),
      ...(acknowledged !== undefined && { isAcknowledged: acknowledged === 'true' }),
    }
    const page = await alarms.page(filter, after, limit)
    if (page.length === limit) linkNext(reply, operations.listAlarms, limit, page.at(-1)?.id, textsOf(query))
    return page.map(toRecord)
  })

  serve(app, operations.getAlarmSummary, async ({ query, caller }) =>
    alarms.summary(viewOf(caller, query.emulated)),
  )

  serve(app, operations.acknowledgeAlarm, async ({ params, body, caller, by }) =>
    toRecord(await alarms.acknowledge(viewOf(caller, 'all'), params.id, body.comment ?? '', by)),
  )

  serve(app, operations.assignAlarm, async ({ params, body, caller, by }) =>
    toRecord(await alarms.assign(viewOf(caller, 'all'), params.id, body.username, by)),
  )

  serve(app, operations.listAlarmRules, async () => (await rules.list()).map(toRule))

  serve(app, operations.createAlarmRule, async ({ body, by }) => toRule(await rules.create(body, by)))

  serve(app, operations.previewAlarmRule, async ({ body, by }) => rules.preview(body, by))

  serve(app, operations.updateAlarmRule, async ({ params, body, by }) =>
    toRule(await rules.update(params.id, body, by)),
  )

  serve(app, operations.deleteAlarmRule, async ({ params, by }) => {
    await rules.delete(params.id, by)
    return done('The rule was deleted.')
  })
}

const viewOf = (caller: Caller, emulated: EmulatedChoice = 'own'): AlarmView => ({
  patterns: caller.kind === 'third_party_app' ? caller.agents : undefined,
  emulated,
  owner: idOf(caller),
})

function wrongAfter() {
  const msg = 'Value error, after should be the id of an alarm: follow the Link header'
  return invalid([{ loc: ['query', 'after'], msg, type: 'value_error' }])
}

function textsOf({ severity = [], technology = [], ...query }: Query): URLSearchParams {
  const texts = new URLSearchParams()
  for (const each of severity) texts.append('severity', each)
  for (const each of technology) texts.append('technology', each)
  for (const name of ['state', 'ap_id', 'rule', 'acknowledged', 'emulated'] as const) {
    const value = query[name]
    if (value !== undefined) texts.append(name, value)
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
  is_inhibited: alarm.isInhibited,
  acknowledged_by: alarm.acknowledgedBy,
  acknowledged_at: alarm.acknowledgedAt?.toISOString() ?? null,
  comment: alarm.comment,
  assignee: alarm.assignee,
})

const toRule = (rule: RuleRow): AlarmRule => ({
  id: rule.id,
  name: rule.name,
  severity: rule.severity,
  metric: rule.metric,
  expr: rule.expr,
  raise_op: rule.raiseOp,
  raise_threshold: rule.raiseThreshold,
  raise_for_s: rule.raiseForS,
  clear_threshold: rule.clearThreshold,
  clear_for_s: rule.clearForS,
  technologies: rule.technologies,
  ap_ids: rule.apIds,
  is_enabled: rule.isEnabled,
  is_builtin: rule.isBuiltin,
  updated_at: rule.updatedAt.toISOString(),
  updated_by: rule.updatedBy,
})
