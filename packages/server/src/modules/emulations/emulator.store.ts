import type { EmulatorSpec } from '@manc/contract'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { Word } from './word.ts'

export interface NewEmulation {
  jobNumber: string
  owner: string
  agents: number
  nonce: string
  /** JSON texts. */
  specs: string
  places: string
  longestS: number
  removeAfterS: number
}

/** A part as it is offered to emulators, but for its secrets. */
export interface Offer {
  jobNumber: string
  part: number
  parts: number
  nonce: string
  /** JSON texts. */
  specs: string
  places: string
  beginsAt: Date
}

export interface PartState {
  part: number
  state: string
  detail: string | null
  /** JSON text. */
  told: string | null
}

/** Beside what was told; they change all the time, and are no news. */
const counts = ['samples', 'commands', 'samples_before', 'commands_before', 'most_live_before']

/** What was counted: an emulator that has just taken the part begins anew; the word of any other may come late. */
const counted = (name: 'samples' | 'commands', { emulator, isFirst, [name]: count }: Word) => {
  const last = sql`coalesce((before.told ->> ${name}::text)::float8, 0)`
  const earlier = sql`coalesce((before.told ->> ${`${name}_before`}::text)::float8, 0)`
  const isNew = sql`(${isFirst}::boolean or before.emulator <> ${emulator}::uuid) is true`
  return sql`
    ${name}::text, case when ${isNew} then ${count}::float8 else greatest(${count}::float8, ${last}) end,
    ${`${name}_before`}::text, ${earlier} + case when ${isNew} then ${last} else 0 end
  `
}

const offerColumns = sql`
  part.job_number as "jobNumber", part.part, emulations.nonce, emulations.specs, emulations.places,
  emulations.begins_at as "beginsAt",
  (select count(*)::int from emulation_parts as other where other.job_number = part.job_number) as parts
`

export class EmulatorStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Agents that this owner has running. No two requests of one owner count at the same time. */
  async running(tx: Tx, owner: string): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('emulations of ' || ${owner}))`.execute(tx)
    const { rows } = await sql<{ agents: number }>`
      select coalesce(sum(agents), 0)::int as agents from emulations where owner = ${owner} and ends_at > now()
    `.execute(tx)
    return rows[0]?.agents ?? 0
  }

  /** With how long each of its parts lasts. */
  async insert(tx: Tx, emulation: NewEmulation, partsLastS: number[]): Promise<void> {
    const { jobNumber, owner, agents, nonce, specs, places, longestS, removeAfterS } = emulation
    await sql`
      insert into emulations (job_number, owner, agents, nonce, specs, places, ends_at, remove_at)
      values (${jobNumber}, ${owner}, ${agents}, ${nonce}, ${specs}, ${places},
        now() + make_interval(secs => ${longestS}), now() + make_interval(secs => ${longestS + removeAfterS}))
    `.execute(tx)
    await sql`
      insert into emulation_parts (job_number, part, ends_at)
      select ${jobNumber}, part, now() + make_interval(secs => lasts_s)
      from unnest(${partsLastS}::float8[]) with ordinality as each (lasts_s, part)
    `.execute(tx)
  }

  /** None where it is long over. */
  async specsOf(jobNumber: string): Promise<EmulatorSpec[]> {
    const { rows } = await sql<{ specs: string }>`
      select specs from emulations where job_number = ${jobNumber}
    `.execute(this.#postgres.db)
    return JSON.parse(rows[0]?.specs ?? '[]') as EmulatorSpec[]
  }

  async offers(jobNumber: string): Promise<Offer[]> {
    const { rows } = await sql<Offer>`
      select ${offerColumns} from emulation_parts as part join emulations using (job_number)
      where part.job_number = ${jobNumber} and part.state = 'waiting' order by part.part
    `.execute(this.#postgres.db)
    return rows
  }

  /** The lease on a part, for its emulator or for a new one; undefined where another has it, or it has ended. */
  async hold(jobNumber: string, word: Word, leaseForS: number): Promise<{ isNews: boolean } | undefined> {
    const { part, emulator, state, told } = word
    const { rows } = await sql<{ isNews: boolean }>`
      update emulation_parts as part set
        emulator = ${emulator}, state = ${state}, leased_until = now() + make_interval(secs => ${leaseForS}),
        told = (${told}::jsonb || jsonb_build_object(
          ${counted('samples', word)}, ${counted('commands', word)},
          'most_live_before', greatest((before.told ->> 'most_live')::float8,
            (before.told ->> 'most_live_before')::float8, 0)))::json
      from emulation_parts as before
      where before.job_number = part.job_number and before.part = part.part
        and part.job_number = ${jobNumber} and part.part = ${part} and part.state in ('waiting', 'running')
        and (part.emulator is null or part.emulator = ${emulator} or part.leased_until < now())
      returning (before.told::jsonb - ${counts}::text[]) is distinct from ${told}::jsonb as "isNews"
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async parts(jobNumber: string): Promise<PartState[]> {
    const { rows } = await sql<PartState>`
      select part, state, detail, told from emulation_parts where job_number = ${jobNumber} order by part
    `.execute(this.#postgres.db)
    return rows
  }

  /** Parts whose emulator is gone are to be offered again. Those that have meanwhile come to their end are not. */
  async lapsed(): Promise<Offer[]> {
    const { rows } = await sql<Offer>`
      select ${offerColumns} from emulation_parts as part join emulations using (job_number)
      where part.state = 'running' and part.leased_until < now() and part.ends_at > now()
    `.execute(this.#postgres.db)
    return rows
  }

  /** Unless an emulator has taken it already. */
  async setOffered({ jobNumber, part }: Pick<Offer, 'jobNumber' | 'part'>): Promise<void> {
    await sql`
      update emulation_parts set state = 'waiting', emulator = null, offered_at = now()
      where job_number = ${jobNumber} and part = ${part} and state = 'running' and leased_until < now()
    `.execute(this.#postgres.db)
  }

  /** Parts that nobody has taken in time, and those whose end came while nobody ran them. Answers their jobs. */
  async giveUp(waitS: number): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      update emulation_parts set state = 'failed',
        detail = case when state = 'waiting' then 'No emulator took it in time. Start one: npm run emulator.'
          else 'Its emulator ended before it did.' end
      where (state = 'waiting' and offered_at < now() - make_interval(secs => ${waitS}))
        or (state in ('waiting', 'running') and ends_at < now() and coalesce(leased_until, ends_at) < now() - interval '5 s')
      returning job_number as "jobNumber"
    `.execute(this.#postgres.db)
    return [...new Set(rows.map(({ jobNumber }) => jobNumber))]
  }

  /** Emulations all of whose parts have ended, and of which that has not been told. */
  async ended(): Promise<{ jobNumber: string; agents: number }[]> {
    const { rows } = await sql<{ jobNumber: string; agents: number }>`
      select job_number as "jobNumber", agents from emulations
      where not is_told and not exists (
        select from emulation_parts as part
        where part.job_number = emulations.job_number and part.state in ('waiting', 'running'))
    `.execute(this.#postgres.db)
    return rows
  }

  /** It is over, maybe long before its time: its agents count no more, and go as soon as others do. */
  async setTold(jobNumber: string, removeAfterS: number): Promise<void> {
    await sql`
      update emulations set is_told = true, ends_at = least(ends_at, now()),
        remove_at = least(remove_at, now() + make_interval(secs => ${removeAfterS}))
      where job_number = ${jobNumber}
    `.execute(this.#postgres.db)
  }

  /** Emulations whose agents are to go. */
  async toRemove(): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select job_number as "jobNumber" from emulations where remove_at < now() order by remove_at limit 10
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  async forget(jobNumber: string): Promise<void> {
    await sql`delete from emulations where job_number = ${jobNumber}`.execute(this.#postgres.db)
  }
}
