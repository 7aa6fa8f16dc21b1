import type { BuiltinRule } from '@manc/contract'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { NewRule, RuleRow } from './alarms.types.ts'

/** The only writer of the table `alarm_rules`. */
export class RuleStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Built-in rules first. */
  async all(): Promise<RuleRow[]> {
    return this.#postgres.db
      .selectFrom('alarm_rules')
      .select(rowColumns)
      .orderBy('is_builtin', 'desc')
      .orderBy('id')
      .execute()
  }

  /** A text that differs after each change of a rule. */
  async mark(): Promise<string> {
    const { rows } = await sql<{ mark: string }>`
      select coalesce(md5(string_agg(id || ' ' || revision, ',' order by id)), '') as mark from alarm_rules
    `.execute(this.#postgres.db)
    return rows[0]?.mark ?? ''
  }

  async find(id: string): Promise<RuleRow | undefined> {
    return this.#postgres.db
      .selectFrom('alarm_rules')
      .select(rowColumns)
      .where('id', '=', id)
      .executeTakeFirst()
  }

  /** Locks the count: of two requests at the limit, one is refused. */
  async countOwn(tx: Executor): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('alarm_rules'))`.execute(tx)
    const { rows } = await sql<{ rules: number }>`
      select count(*)::int as rules from alarm_rules where not is_builtin
    `.execute(tx)
    return rows[0]?.rules ?? 0
  }

  /** Of these agents, those in the scope of a rule. */
  async inScope(
    { technologies, apIds: patterns }: Pick<NewRule, 'technologies' | 'apIds'>,
    apIds: readonly string[],
  ) {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from fleet where ap_id = any(${apIds}::text[])
        and (${technologies}::text[] = '{}' or technology = any(${technologies}::text[]))
        and (${patterns}::text[] = '{}' or ap_id like any(${patterns.map(likeOfGlob)}::text[]))
    `.execute(this.#postgres.db)
    return new Set(rows.map(({ apId }) => apId))
  }

  async insert(tx: Executor, rule: NewRule): Promise<RuleRow> {
    return tx.insertInto('alarm_rules').values(valuesOf(rule)).returning(rowColumns).executeTakeFirstOrThrow()
  }

  /** Undefined if there is no such rule. */
  async update(tx: Executor, rule: NewRule): Promise<RuleRow | undefined> {
    const { id, ...values } = valuesOf(rule)
    return tx
      .updateTable('alarm_rules')
      .set({ ...values, revision: sql<number>`revision + 1`, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returning(rowColumns)
      .executeTakeFirst()
  }

  async delete(tx: Executor, id: string): Promise<boolean> {
    const deleted = await tx.deleteFrom('alarm_rules').where('id', '=', id).returning('id').execute()
    return deleted.length > 0
  }

  /** Adds and updates the built-in rules of this version. Whether they are enabled is not changed. */
  async syncBuiltin(rules: readonly BuiltinRule[], forS: number): Promise<void> {
    const column = <Name extends keyof BuiltinRule>(name: Name) => rules.map((rule) => rule[name] ?? null)
    await sql`
      insert into alarm_rules as old (id, name, severity, metric, expr, raise_op, raise_threshold, raise_for_s,
        clear_threshold, clear_for_s, technologies, ap_ids, is_enabled, is_builtin)
      select id, name, severity, metric, expr, op, threshold, ${forS}, clear_threshold, ${forS},
        array_remove(array[technology], null), '{}', true, true
      from unnest(${column('id')}::text[], ${column('name')}::text[], ${column('severity')}::text[],
        ${column('metric')}::text[], ${column('expr')}::text[], ${column('technology')}::text[],
        ${column('op')}::text[], ${column('threshold')}::float8[], ${column('clearThreshold')}::float8[])
        as new (id, name, severity, metric, expr, technology, op, threshold, clear_threshold)
      on conflict (id) do update set name = excluded.name, severity = excluded.severity, expr = excluded.expr,
        technologies = excluded.technologies, raise_op = excluded.raise_op,
        raise_threshold = excluded.raise_threshold, clear_threshold = excluded.clear_threshold,
        revision = old.revision + 1, updated_at = now()
      where (old.name, old.severity, old.expr, old.technologies, old.raise_op, old.raise_threshold,
          old.clear_threshold) is distinct from
        (excluded.name, excluded.severity, excluded.expr, excluded.technologies, excluded.raise_op,
          excluded.raise_threshold, excluded.clear_threshold)
    `.execute(this.#postgres.db)
  }
}

const rowColumns = [
  'id',
  'name',
  'severity',
  'metric',
  'expr',
  'raise_op as raiseOp',
  'raise_threshold as raiseThreshold',
  'raise_for_s as raiseForS',
  'clear_threshold as clearThreshold',
  'clear_for_s as clearForS',
  'technologies',
  'ap_ids as apIds',
  'is_enabled as isEnabled',
  'is_builtin as isBuiltin',
  'revision',
  'updated_at as updatedAt',
  'updated_by as updatedBy',
] as const

const valuesOf = (rule: NewRule) => ({
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
  updated_by: rule.updatedBy,
})
