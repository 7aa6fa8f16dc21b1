import type { SilenceState } from '@manc/contract'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { NewSilence, SilenceRow, SilenceView } from './silences.types.ts'
import { activeUntil, nextStart } from './windows.store.ts'

const now = sql`now()`

/** All silences as `s`, with what they do now. */
const silencesNow = sql`(
  select s.*, case when s.ends_at <= now() then 'ended' when s.active_until is not null then 'active' else 'scheduled' end as state,
    case when s.ends_at <= now() then null else ${nextStart(now)} end as next_start_at
  from (select s.*, ${activeUntil(now)} as active_until from silences as s) as s) as s`

const columns = sql`s.id, s.comment, s.rule_ids as "ruleIds", s.technologies, s.ap_ids as "apIds", s.starts_at as "startsAt",
  s.ends_at as "endsAt", s.days, to_char(s.start_time, 'HH24:MI') as "startTime", s.duration_min as "durationMin",
  s.time_zone as "timeZone", s.owner, s.created_by as "createdBy", s.created_at as "createdAt", s.state,
  s.active_until as "activeUntil", s.next_start_at as "nextStartAt"`

const hasNotEnded = sql`(ends_at is null or ends_at > now())`

interface SilenceCount {
  all: number
  own: number
  /** Id patterns. */
  patterns: number
  ownPatterns: number
}

/** The only writer of the table `silences`. */
export class SilenceStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The newest first. */
  async page(
    view: SilenceView,
    states: readonly SilenceState[],
    after: string | undefined,
    limit: number,
  ): Promise<SilenceRow[]> {
    const { rows } = await sql<SilenceRow>`
      select ${columns} from ${silencesNow}
      where ${after === undefined ? sql`true` : sql`s.id < ${after}::uuid`} and s.state = any(${states}::text[])
        and ${states.includes('ended') ? sql`true` : hasNotEnded} and ${isVisible(view)}
      order by s.id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async find(db: Executor, view: SilenceView, id: string): Promise<SilenceRow | undefined> {
    const { rows } = await sql<SilenceRow>`
      select ${columns} from ${silencesNow} where s.id = ${id}::uuid and ${isVisible(view)}
    `.execute(db)
    return rows[0]
  }

  /** Of silences that have not ended. Locks the count: of two requests at the limit, one is refused. */
  async count(tx: Executor, owner: string): Promise<SilenceCount> {
    await sql`select pg_advisory_xact_lock(hashtext('silences'))`.execute(tx)
    const isOwn = sql`filter (where owner = ${owner}::uuid)`
    const { rows } = await sql<SilenceCount>`
      select count(*)::int as all, count(*) ${isOwn}::int as own,
        coalesce(sum(cardinality(ap_ids)), 0)::int as patterns,
        coalesce(sum(cardinality(ap_ids)) ${isOwn}, 0)::int as "ownPatterns"
      from silences where ${hasNotEnded}
    `.execute(tx)
    return rows[0] ?? { all: 0, own: 0, patterns: 0, ownPatterns: 0 }
  }

  async insert(tx: Executor, silence: NewSilence): Promise<void> {
    const { recurrence } = silence
    await tx
      .insertInto('silences')
      .values({
        id: silence.id,
        comment: silence.comment,
        rule_ids: [...silence.ruleIds],
        technologies: [...silence.technologies],
        ap_ids: [...silence.apIds],
        // By the clock of the database, as everything that reads it.
        starts_at: sql<Date>`greatest(now(), ${silence.startsAt ?? null}::timestamptz)`,
        ends_at: silence.endsAt,
        days: recurrence ? [...recurrence.days] : null,
        start_time: recurrence?.startTime ?? null,
        duration_min: recurrence?.durationMin ?? null,
        time_zone: recurrence?.timeZone ?? null,
        owner: silence.owner,
        created_by: silence.createdBy,
      })
      .execute()
  }

  /** Sets what is given. False if it has ended. */
  async update(
    tx: Executor,
    id: string,
    { comment, endsAt }: { comment: string | undefined; endsAt: Date | null | undefined },
  ): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update silences set comment = ${comment === undefined ? sql`comment` : sql`${comment}`},
        ends_at = ${endsAt === undefined ? sql`ends_at` : sql`${endsAt}::timestamptz`}
      where id = ${id}::uuid and ${hasNotEnded}
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** False if it has ended before. */
  async end(tx: Executor, id: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update silences set ends_at = now(), starts_at = least(starts_at, now()) where id = ${id}::uuid and ${hasNotEnded}
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** Deletes those of an owner that ended first, except for the last `keep`. */
  async deleteEndedOf(tx: Executor, owner: string, keep: number): Promise<void> {
    await sql`
      delete from silences where id = any(array(
        select id from silences where owner = ${owner}::uuid and ends_at <= now()
        order by ends_at desc offset ${keep}))
    `.execute(tx)
  }

  /** At most `max` silences that ended long ago. */
  async deleteEnded(keepDays: number, max: number): Promise<void> {
    await sql`
      delete from silences where id = any(array(
        select id from silences where ends_at < now() - make_interval(days => ${keepDays}) limit ${max}))
    `.execute(this.#postgres.db)
  }

  /** Of these ids, those that no rule has. */
  async unknownRules(ids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select given.id from unnest(${ids}::text[]) as given (id) where not exists (
        select from alarm_rules where alarm_rules.id = given.id)
    `.execute(this.#postgres.db)
    return rows.map(({ id }) => id)
  }

  /** Whether the database server has the time zone. */
  async hasTimeZone(name: string): Promise<boolean> {
    const { rows } = await sql<{ isKnown: boolean }>`
      select is_time_zone(${name}) as "isKnown"
    `.execute(this.#postgres.db)
    return rows[0]?.isKnown ?? false
  }
}

/** An app sees its own, and those whose patterns its permissions cover. As a text a pattern has no wildcards of LIKE. */
function isVisible({ owner, patterns }: SilenceView) {
  if (!patterns) return sql`true`
  return sql`(s.owner = ${owner}::uuid or not exists (
    select from unnest(case when s.ap_ids = '{}' then array['*'] else s.ap_ids end) as pattern
    where not pattern like any(${patterns.map(likeOfGlob)}::text[])))`
}
