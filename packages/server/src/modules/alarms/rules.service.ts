import { type AlarmPreview, type AlarmRuleCreate, builtinRules } from '@manc/contract'
import type { Postgres } from '../../engines/postgres.ts'
import { RefusedByStore } from '../../engines/victoria.http.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { AlarmService } from './alarms.service.ts'
import type { NewRule, RuleRow } from './alarms.types.ts'
import type { ClearanceStore } from './clearance.store.ts'
import { conditionOf } from './expressions.format.ts'
import { countAlarms } from './preview.rules.ts'
import { ruleOf, wrongMembers } from './rule-members.rules.ts'
import type { RuleStore } from './rules.store.ts'
import { rulesFile } from './rules-file.format.ts'

interface Deps {
  postgres: Postgres
  store: RuleStore
  alarms: AlarmService
  clearance: ClearanceStore
  maxRules: number
  onLimit: () => void
  /** Called after each change. */
  onChange: () => void
  intervalS: number
  lookbackS: number
}

const previewMs = 24 * 3_600_000
const previewStepMs = 60_000
/** So that the response of the store has at most some megabytes. */
const previewAgents = 500
const previewShown = 100
/** Of built-in rules, in seconds. */
const builtinForS = 60

/** The rules of alarms. */
export class RuleService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  list(): Promise<RuleRow[]> {
    return this.#deps.store.all()
  }

  /** As vmalert reads them. */
  async file(): Promise<string> {
    const { store, intervalS, lookbackS } = this.#deps
    return rulesFile(await store.all(), { intervalS, lookbackS })
  }

  async create(given: AlarmRuleCreate, by: Actor): Promise<RuleRow> {
    const { postgres, store, maxRules, onLimit, onChange } = this.#deps
    const rule = ruleOf(given, { id: newId(), by: by.name })
    await this.#check(rule)
    const created = await postgres.transaction(async (tx) => {
      if ((await store.countOwn(tx)) >= maxRules) {
        onLimit()
        throw new Refused('conflict', `There are ${maxRules} rules. Delete one first.`)
      }
      const inserted = await store.insert(tx, rule)
      await recordAudit(tx, by, { action: 'alarm-rule.create', target: rule.id, detail: detailOf(rule) })
      return inserted
    })
    onChange()
    return created
  }

  /** What the rule would have raised. */
  async preview(given: AlarmRuleCreate, by: Actor): Promise<AlarmPreview> {
    const { store, clearance } = this.#deps
    const rule = ruleOf(given, { id: 'preview', by: by.name })
    await this.#check(rule)
    const row = { ...rule, revision: 0, updatedAt: new Date() }
    const condition = conditionOf(row)
    if (!condition) {
      const msg = 'Value error, a rule of presence has no preview'
      throw invalid([{ loc: ['body', 'metric'], msg, type: 'value_error' }])
    }
    const toMs = Date.now()
    const span = { fromMs: toMs - previewMs, toMs }
    const raised = await clearance.raised(row, condition, {
      span,
      stepMs: previewStepMs,
      limit: previewAgents,
    })
    const inScope = await store.inScope(rule, [...raised.keys()])
    const agents = [...raised]
      .filter(([apId]) => inScope.has(apId))
      .map(([apId, times]) => ({
        ap_id: apId,
        ...countAlarms(times, { stepMs: previewStepMs, forMs: rule.raiseForS * 1000 }),
      }))
      .filter(({ alarms }) => alarms > 0)
      .sort((a, b) => b.alarms - a.alarms || b.minutes - a.minutes)
    return {
      from: new Date(span.fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      alarms: agents.reduce((sum, { alarms }) => sum + alarms, 0),
      agents: agents.slice(0, previewShown),
      is_complete: raised.size < previewAgents,
    }
  }

  async update(id: string, given: AlarmRuleCreate, by: Actor): Promise<RuleRow> {
    const { postgres, store, alarms, onChange } = this.#deps
    const old = await store.find(id)
    if (!old) throw notFound('Rule')
    const rule = ruleOf(given, { id, by: by.name })
    if (old.isBuiltin) {
      if (!isSameBuiltin(old, rule))
        throw new Refused(
          'conflict',
          'Only is_enabled of a built-in rule can be changed. Disable it, and create a rule from it.',
        )
      rule.isBuiltin = true
    } else await this.#check(rule)
    const updated = await postgres.transaction(async (tx) => {
      const changed = await store.update(tx, rule)
      if (!changed) throw notFound('Rule')
      await alarms.clearOfRule(tx, id)
      await recordAudit(tx, by, { action: 'alarm-rule.update', target: id, detail: detailOf(rule) })
      return changed
    })
    onChange()
    return updated
  }

  async delete(id: string, by: Actor): Promise<void> {
    const { postgres, store, alarms, onChange } = this.#deps
    if ((await store.find(id))?.isBuiltin)
      throw new Refused('conflict', 'A built-in rule cannot be deleted. Disable it.')
    await postgres.transaction(async (tx) => {
      if (!(await store.delete(tx, id))) throw notFound('Rule')
      await alarms.clearOfRule(tx, id)
      await recordAudit(tx, by, { action: 'alarm-rule.delete', target: id })
    })
    onChange()
  }

  /** Every process does this at start: replicas of the same version write the same. */
  syncBuiltin(): Promise<void> {
    return this.#deps.store.syncBuiltin(builtinRules, builtinForS)
  }

  async #check(rule: NewRule): Promise<void> {
    const problems = wrongMembers(rule)
    if (problems.length > 0) throw invalid(problems)
    const row = { ...rule, revision: 0, updatedAt: new Date() }
    const condition = conditionOf(row)
    if (rule.metric !== 'expression' || !condition) return
    try {
      await this.#deps.clearance.check(rule, condition)
    } catch (error) {
      if (!(error instanceof RefusedByStore)) throw error
      const msg = `Value error, the metrics store refuses the expression: ${error.message.slice(0, 300)}`
      throw invalid([{ loc: ['body', 'expr'], msg, type: 'value_error' }])
    }
  }
}

const detailOf = (rule: NewRule) => ({
  name: rule.name,
  severity: rule.severity,
  metric: rule.metric,
  expr: rule.expr,
  raise: [rule.raiseOp, rule.raiseThreshold, rule.raiseForS],
  clear: [rule.clearThreshold, rule.clearForS],
  technologies: rule.technologies,
  ap_ids: rule.apIds,
  is_enabled: rule.isEnabled,
})

const isSameBuiltin = (old: RuleRow, rule: NewRule): boolean =>
  JSON.stringify(detailOf({ ...old, isEnabled: rule.isEnabled })) === JSON.stringify(detailOf(rule))
