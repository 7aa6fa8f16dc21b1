import { changesSince, firstHorizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { unavailable } from '../../errors.ts'

const everyVersion = 2_147_483_647
/** Longer without a look at the database, and we no longer know who has been shut out: refuse rather than guess. */
const blindAfterMs = 5000

/**
 * Which tokens have ended before their time. Every replica keeps the recent ones in memory: it hears of them from
 * the broker at once, and from the database a moment later even if the broker is down.
 */
export class Revocations {
  readonly #postgres: Postgres
  readonly #rabbitMq: RabbitMq
  readonly #keepMs: number
  readonly #ended = new Map<string, { version: number; heardAt: number }>()
  #horizon = firstHorizon
  #lastLook = 0

  constructor(parts: { postgres: Postgres; rabbitMq: RabbitMq; longestTokenS: number }) {
    this.#postgres = parts.postgres
    this.#rabbitMq = parts.rabbitMq
    // Twice the longest life: clocks differ, and a token cannot outlive its revocation.
    this.#keepMs = parts.longestTokenS * 2000
    this.#rabbitMq.onWakeUp('revoked', ({ subject, version }) => {
      if (typeof subject === 'string' && typeof version === 'number') this.#hear(subject, version)
    })
  }

  /** Throws where this replica has been blind for too long. */
  hasEnded(subject: string, version: number): boolean {
    if (Date.now() - this.#lastLook > blindAfterMs) throw unavailable('The database')
    const ended = this.#ended.get(subject)
    return ended !== undefined && version < ended.version
  }

  /** Ends every token of a user, agent or app that is older than `version`; all of them where it is left out. */
  async revoke(tx: Tx, subject: string, version = everyVersion): Promise<void> {
    await sql`
      insert into revocations (subject, version) values (${subject}, ${version})
      on conflict (subject) do update set
        version = greatest(revocations.version, excluded.version),
        revoked_at = now(),
        transaction_id = pg_current_xact_id()
    `.execute(tx)
    this.#postgres.afterCommit(tx, () => {
      this.#hear(subject, version)
      this.#rabbitMq.wakeUp({ type: 'revoked', subject, version })
    })
  }

  /** Reads what was committed since the last poll. */
  async look(): Promise<void> {
    const startedAt = Date.now()
    const { rows, horizon } = await changesSince<{ subject: string; version: number }>(
      this.#postgres,
      { name: 'revocations', table: 'revocations', columns: 'subject, version' },
      this.#horizon,
    )
    for (const { subject, version } of rows) this.#hear(subject, version)
    // A horizon that runs backwards is another database (a restored backup): read it from its beginning.
    this.#horizon = BigInt(horizon) < BigInt(this.#horizon) ? firstHorizon : horizon
    this.#lastLook = startedAt
  }

  /** What this replica keeps in memory; the rows are swept for all replicas at once. */
  forgetOld(): void {
    const oldest = Date.now() - this.#keepMs
    for (const [subject, { heardAt }] of this.#ended) if (heardAt < oldest) this.#ended.delete(subject)
  }

  async sweep(): Promise<void> {
    await sql`delete from revocations where revoked_at < now() - make_interval(secs => ${this.#keepMs / 1000})`.execute(
      this.#postgres.db,
    )
  }

  #hear(subject: string, version: number): void {
    const known = this.#ended.get(subject)
    if (!known || known.version < version) this.#ended.set(subject, { version, heardAt: Date.now() })
  }
}
