import { type AlarmRule, alarmRuleOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { done, serve } from '../../http/serve.ts'
import type { RuleRow } from './alarms.types.ts'
import type { RuleService } from './rules.service.ts'

export function ruleRoutes(app: FastifyInstance, rules: RuleService): void {
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
