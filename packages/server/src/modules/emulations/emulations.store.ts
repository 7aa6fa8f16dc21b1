import { partLeaseS } from '@manc/contract'
import type { PartSpec } from '@manc/contract/emulation-parts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { ReceivedReport } from './part-reports.format.ts'

export interface NewEmulation {
  jobNumber: string
  owner: string
  isOfStandardUser: boolean
  agents: number
  nonce: string
  /** JSON texts. */
  specs: string
  positions: string
  longestS: number
  removeAfterS: number
}

/** A part for emulators to take, without its passwords. */
export interface WaitingPart {
  jobNumber: string
  part: number
  parts: number
  nonce: string
  /** JSON texts. */
  specs: string
  positions: string
  beginsAt: Date
  /** One of its agents whose password is still the generated one. */
  sampleApId: string | null
  sampleHash: string | null
}

/** A running emulation, with one of its agents whose password is still the generated one. */
export interface RunningEmulation {
  nonce: string
  endsAt: Date
  sampleApId: string
  sampleHash: string
}

/** A position in the list: an emulation that may have been removed since. */
export interface EmulationPosition {
  /** In microseconds since 1970, as the database stores it. */
  beginsAtUs: string
  jobNumber: string
}

/** An emulation whose agents exist. */
export interface ListedEmulation extends EmulationPosition {
  /** Name of the user or app; null where it was deleted. */
  owner: string | null
  agents: number
  isRunning: boolean
  beginsAt: Date
  endsAt: Date
  removeAt: Date
}

/** An emulation whose parts have all ended. */
export interface EndedEmulation {
  jobNumber: string
  owner: string
  agents: number
  stoppedBy: string | null
}

export interface PartState {
  part: number
  state: string
  detail: string | null
  /** JSON text. */
  figures: string | null
}

/** How long an emulator takes at most to disconnect the agents of a part that was stopped. */
const disconnectS = 6

/** Stored beside the figures. They change all the time: such a change alone is not forwarded to the caller. */
const countNames = ['samples', 'commands', 'samples_before', 'commands_before', 'most_live_before']

/**
 * Adds up a count over the emulators of a part: each starts at 0. Reports of one emulator may arrive out of order, so
 * that the largest count is its newest. The last report names its emulator also after the part was offered again.
 */
const totalled = (name: 'samples' | 'commands', { emulator, isFirst, [name]: count }: ReceivedReport) => {
  const last = sql`coalesce((before.told ->> ${name}::text)::float8, 0)`
  const earlier = sql`coalesce((before.told ->> ${`${name}_before`}::text)::float8, 0)`
  const isNew = sql`(${isFirst}::boolean or before.told ->> 'emulator' is distinct from ${emulator}::text)`
  return sql`
    ${name}::text, case when ${isNew} then ${count}::float8 else greatest(${count}::float8, ${last}) end,
    ${`${name}_before`}::text, ${earlier} + case when ${isNew} then ${last} else 0 end
  `
}

const sampleAgent = sql`
  select ap_id, password_hash from agents
  where agents.emulation = emulations.job_number and password_hash like 'generated:%' limit 1
`

const selectWaitingParts = sql`
  select part.job_number as "jobNumber", part.part, emulations.nonce, emulations.specs, emulations.places as positions,
    emulations.begins_at as "beginsAt", sample.ap_id as "sampleApId", sample.password_hash as "sampleHash",
    (select count(*)::int from emulation_parts as other where other.job_number = part.job_number) as parts
  from emulation_parts as part join emulations using (job_number) left join lateral (${sampleAgent}) as sample on true
`

/** The only writer of `emulations` and `emulation_parts`. */
export class EmulationStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** `partDurationsS`: one for each part. */
  async insert(tx: Tx, emulation: NewEmulation, partDurationsS: number[]): Promise<void> {
    const { jobNumber, owner, isOfStandardUser, agents, nonce, specs, positions, longestS, removeAfterS } =
      emulation
    await sql`
      insert into emulations (job_number, owner, of_standard_user, agents, nonce, specs, places, ends_at, remove_at)
      values (${jobNumber}, ${owner}, ${isOfStandardUser}, ${agents}, ${nonce}, ${specs}, ${positions},
        now() + make_interval(secs => ${longestS}), now() + make_interval(secs => ${longestS + removeAfterS}))
    `.execute(tx)
    await sql`
      insert into emulation_parts (job_number, part, ends_at)
      select ${jobNumber}, part, now() + make_interval(secs => lasts_s)
      from unnest(${partDurationsS}::float8[]) with ordinality as each (lasts_s, part)
    `.execute(tx)
  }

  /** Undefined where the emulation was removed. */
  async find(jobNumber: string): Promise<{ specs: PartSpec[]; endsAt: Date } | undefined> {
    const { rows } = await sql<{ specs: string; endsAt: Date }>`
      select specs, ends_at as "endsAt" from emulations where job_number = ${jobNumber}
    `.execute(this.#postgres.db)
    return rows[0] && { ...rows[0], specs: JSON.parse(rows[0].specs) as PartSpec[] }
  }

  async waitingParts(jobNumber: string): Promise<WaitingPart[]> {
    const { rows } = await sql<WaitingPart>`
      ${selectWaitingParts}
      where part.job_number = ${jobNumber} and part.state = 'waiting' order by part.part
    `.execute(this.#postgres.db)
    return rows
  }

  /** Takes or renews the lease of the emulator. Undefined where another one holds it, or the part has ended. */
  async recordReport(
    jobNumber: string,
    report: ReceivedReport,
  ): Promise<{ hasChanged: boolean } | undefined> {
    const { part, emulator, state, figures } = report
    const { rows } = await sql<{ hasChanged: boolean }>`
      update emulation_parts as part set
        emulator = ${emulator}, state = ${state}, leased_until = now() + make_interval(secs => ${partLeaseS}),
        told = (${figures}::jsonb || jsonb_build_object(
          ${totalled('samples', report)}, ${totalled('commands', report)},
          'most_live_before', greatest((before.told ->> 'most_live')::float8,
            (before.told ->> 'most_live_before')::float8, 0)))::json
      from emulation_parts as before
      where before.job_number = part.job_number and before.part = part.part
        and part.job_number = ${jobNumber} and part.part = ${part} and part.state in ('waiting', 'running')
        and (part.emulator is null or part.emulator = ${emulator} or part.leased_until < now())
      returning (before.told::jsonb - ${countNames}::text[]) is distinct from ${figures}::jsonb as "hasChanged"
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async parts(jobNumber: string): Promise<PartState[]> {
    const { rows } = await sql<PartState>`
      select part, state, detail, told as figures from emulation_parts where job_number = ${jobNumber} order by part
    `.execute(this.#postgres.db)
    return rows
  }

  /** Without those that have reached their end meanwhile. */
  async partsWithExpiredLease(): Promise<WaitingPart[]> {
    const { rows } = await sql<WaitingPart>`
      ${selectWaitingParts}
      where part.state = 'running' and part.leased_until < now() and part.ends_at > now()
    `.execute(this.#postgres.db)
    return rows
  }

  /** Unless an emulator has taken the part meanwhile. */
  async setWaiting({ jobNumber, part }: Pick<WaitingPart, 'jobNumber' | 'part'>): Promise<void> {
    await sql`
      update emulation_parts set state = 'waiting', emulator = null, offered_at = now()
      where job_number = ${jobNumber} and part = ${part} and state = 'running' and leased_until < now()
    `.execute(this.#postgres.db)
  }

  /** Parts that no emulator has taken in time, and those that reached their end without an emulator. */
  async failOverdueParts(waitS: number): Promise<void> {
    await sql`
      update emulation_parts set state = 'failed',
        detail = case when state = 'waiting' then 'No emulator took it in time. Start one: npm run emulator.'
          else 'Its emulator ended before it did.' end
      where (state = 'waiting' and offered_at < now() - make_interval(secs => ${waitS}))
        or (state in ('waiting', 'running') and ends_at < now() and coalesce(leased_until, ends_at) < now() - interval '5 s')
    `.execute(this.#postgres.db)
  }

  /** Stops all parts. Returns the number of agents; undefined where it was stopped or removed before. */
  async stop(tx: Tx, jobNumber: string, by: string): Promise<number | undefined> {
    const { rows } = await sql<{ agents: number }>`
      update emulations set stopped_by = ${by}, ends_at = least(ends_at, now()), remove_at = least(remove_at, now())
      where job_number = ${jobNumber} and stopped_by is null
      returning agents
    `.execute(tx)
    await sql`
      update emulation_parts set state = 'stopped'
      where job_number = ${jobNumber} and state in ('waiting', 'running')
    `.execute(tx)
    return rows[0]?.agents
  }

  /** Running emulations whose user or app was deleted. */
  async ofDeletedOwners(limit: number): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select job_number as "jobNumber" from emulations
      where stopped_by is null and ends_at > now() and owner is not null
        and not exists (select from users where users.id = owner)
        and not exists (select from third_party_apps where third_party_apps.id = owner)
      limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** After a 409 to the emulator of a stopped part: its agents can be removed once it has disconnected them. */
  async shortenLease(jobNumber: string, { part, emulator }: ReceivedReport): Promise<void> {
    await sql`
      update emulation_parts set leased_until = least(leased_until, now() + make_interval(secs => ${disconnectS}))
      where job_number = ${jobNumber} and part = ${part} and emulator = ${emulator} and state = 'stopped'
    `.execute(this.#postgres.db)
  }

  /** The newest first, after a position. Without an owner: of all callers. */
  async list(
    owner: string | undefined,
    after: EmulationPosition | undefined,
    limit: number,
  ): Promise<ListedEmulation[]> {
    const earlier = after
      ? sql`and (begins_at, job_number)
          < (timestamptz 'epoch' + ${after.beginsAtUs}::bigint * interval '1 microsecond', ${after.jobNumber}::text)`
      : sql``
    const { rows } = await sql<ListedEmulation>`
      select job_number as "jobNumber", coalesce(username, app_name) as owner, agents,
        not is_told and ends_at > now() as "isRunning",
        begins_at as "beginsAt", ends_at as "endsAt", remove_at as "removeAt",
        (extract(epoch from begins_at) * 1000000)::bigint::text as "beginsAtUs"
      from emulations left join users on users.id = owner left join third_party_apps on third_party_apps.id = owner
      where ${owner === undefined ? sql`true` : sql`owner = ${owner}`} ${earlier}
      order by begins_at desc, job_number desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Emulations whose parts have all ended, and whose summary was not sent yet. */
  async ended(): Promise<EndedEmulation[]> {
    const { rows } = await sql<EndedEmulation>`
      select job_number as "jobNumber", owner, agents, stopped_by as "stoppedBy" from emulations
      where not is_told and not exists (
        select from emulation_parts as part
        where part.job_number = emulations.job_number and part.state in ('waiting', 'running'))
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * An emulation may end before its time: from then on its agents do not count, and are removed as usual. False if another
   * process has completed it before.
   */
  async setCompleted(tx: Tx, jobNumber: string, removeAfterS: number): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update emulations set is_told = true, ends_at = least(ends_at, now()),
        remove_at = least(remove_at, now() + make_interval(secs => ${removeAfterS}))
      where job_number = ${jobNumber} and not is_told
    `.execute(tx)
    return numAffectedRows > 0n
  }

  async running(): Promise<RunningEmulation[]> {
    const { rows } = await sql<RunningEmulation>`
      select nonce, ends_at as "endsAt", sample.ap_id as "sampleApId", sample.password_hash as "sampleHash"
      from emulations cross join lateral (${sampleAgent}) as sample where ends_at > now()
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * Emulations whose agents are due to be removed, at most 10: only after their summary was sent, and stopped ones when
   * their emulators are done.
   */
  async removable(): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select job_number as "jobNumber" from emulations
      where remove_at < now() and is_told and (stopped_by is null or not exists (
        select from emulation_parts as part
        where part.job_number = emulations.job_number and part.leased_until > now()))
      order by remove_at limit 10
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** Unless it has agents left, which another replica is removing. */
  async remove(jobNumber: string): Promise<void> {
    await sql`
      delete from emulations
      where job_number = ${jobNumber} and not exists (select from agents where emulation = ${jobNumber})
    `.execute(this.#postgres.db)
  }
}
