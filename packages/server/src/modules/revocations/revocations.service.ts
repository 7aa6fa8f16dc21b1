import { firstHorizon, type Horizon } from '../../engines/postgres.horizon.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { unavailable } from '../../errors.ts'
import type { RevocationStore } from './revocations.store.ts'

const allVersions = 2_147_483_647
/** After this time without a successful poll the memory may be incomplete: tokens are refused rather than accepted. */
const maxPollAgeMs = 5000

/**
 * Tokens that were revoked before they expired. Every replica keeps the recent ones in memory: it gets them from the
 * broker immediately, and by polling the database even if the broker is down.
 */
export class Revocations {
  readonly #postgres: Postgres
  readonly #store: RevocationStore
  readonly #rabbitMq: RabbitMq
  readonly #keepMs: number
  readonly #revoked = new Map<string, { version: number; addedAtMs: number }>()
  #horizon: Horizon = firstHorizon
  /** Of the monotonic clock: a clock that is set back must not make an old poll look recent. */
  #polledAtMs = -Infinity

  constructor(deps: {
    postgres: Postgres
    store: RevocationStore
    rabbitMq: RabbitMq
    longestTokenS: number
  }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#rabbitMq = deps.rabbitMq
    // Twice the longest lifetime, as clocks differ: a token must not outlive its revocation.
    this.#keepMs = deps.longestTokenS * 2000
    this.#rabbitMq.onWakeUp('revoked', ({ subject, version }) => {
      if (typeof subject === 'string' && typeof version === 'number') this.#add(subject, version)
    })
  }

  /** Throws where this replica has not polled the database for too long. */
  isRevoked(subject: string, version: number): boolean {
    if (performance.now() - this.#polledAtMs > maxPollAgeMs) throw unavailable('The database')
    const revoked = this.#revoked.get(subject)
    return revoked !== undefined && version < revoked.version
  }

  /** Revokes the tokens of a user, agent or app that are older than `version`; without it, all of them. */
  async revoke(tx: Tx, subject: string, version = allVersions): Promise<void> {
    await this.#store.upsert(tx, subject, version)
    this.#postgres.afterCommit(tx, () => {
      this.#add(subject, version)
      this.#rabbitMq.wakeUp({ type: 'revoked', subject, version })
    })
  }

  /** Reads the revocations that were committed since the last poll. */
  async poll(): Promise<void> {
    const startedAtMs = performance.now()
    const { rows, horizon } = await this.#store.changesSince(this.#horizon)
    for (const { subject, version } of rows) this.#add(subject, version)
    this.#horizon = horizon
    this.#polledAtMs = startedAtMs
  }

  /** Frees the memory of this replica; `sweep` deletes the rows for all replicas. */
  evictOld(): void {
    const oldestMs = Date.now() - this.#keepMs
    for (const [subject, { addedAtMs }] of this.#revoked)
      if (addedAtMs < oldestMs) this.#revoked.delete(subject)
  }

  sweep(): Promise<void> {
    return this.#store.deleteOlderThan(this.#keepMs / 1000)
  }

  #add(subject: string, version: number): void {
    const known = this.#revoked.get(subject)
    if (!known || known.version < version) this.#revoked.set(subject, { version, addedAtMs: Date.now() })
  }
}
