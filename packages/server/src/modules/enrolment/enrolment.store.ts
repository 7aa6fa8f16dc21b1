import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'

export interface EnrolmentToken {
  id: string
  apIdPattern: string
  maxUses: number
  uses: number
  createdBy: string
  createdAt: Date
  expiresAt: Date
}

const columns = [
  'id',
  'ap_id_pattern as apIdPattern',
  'max_uses as maxUses',
  'uses',
  'created_by as createdBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const

/** The only writer of the table `enrolment_tokens`. */
export class EnrolmentStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(
    tx: Executor,
    token: {
      id: string
      digest: string
      /** For version 1.0, which does not read the digest. */
      hash: string
      apIdPattern: string
      maxUses: number
      lifetimeS: number
      createdBy: string
    },
  ): Promise<EnrolmentToken> {
    return tx
      .insertInto('enrolment_tokens')
      .values({
        id: token.id,
        digest: token.digest,
        hash: token.hash,
        ap_id_pattern: token.apIdPattern,
        max_uses: token.maxUses,
        created_by: token.createdBy,
        expires_at: sql<Date>`now() + make_interval(secs => ${token.lifetimeS})`,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
  }

  async live(): Promise<EnrolmentToken[]> {
    return this.#live(this.#postgres.db).orderBy('created_at').execute()
  }

  /** By the digest of the token, or by one of its fingerprints if version 1.0 has created it. */
  async findLive(digest: string, hashes: readonly string[]): Promise<EnrolmentToken | undefined> {
    return this.#live(this.#postgres.db)
      .where((eb) => eb.or([eb('digest', '=', digest), eb('hash', 'in', hashes)]))
      .executeTakeFirst()
  }

  /** Live tokens without a digest, which can only be found by their fingerprint under the key of that time. */
  async liveWithoutDigest(): Promise<{ tokens: number; lastExpiresAt: Date | null }> {
    const { rows } = await sql<{ tokens: number; lastExpiresAt: Date | null }>`
      select count(*)::int as tokens, max(expires_at) as "lastExpiresAt" from enrolment_tokens
      where digest is null and expires_at > now() and uses < max_uses
    `.execute(this.#postgres.db)
    return rows[0] ?? { tokens: 0, lastExpiresAt: null }
  }

  /** Counts a use. Undefined if the token has expired or has no uses left. */
  async use(tx: Executor, id: string): Promise<Pick<EnrolmentToken, 'createdBy'> | undefined> {
    return tx
      .updateTable('enrolment_tokens')
      .set((eb) => ({ uses: eb('uses', '+', 1) }))
      .where('id', '=', id)
      .where((eb) => eb('uses', '<', eb.ref('max_uses')))
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('created_by as createdBy')
      .executeTakeFirst()
  }

  async delete(tx: Executor, id: string): Promise<boolean> {
    const deleted = await tx.deleteFrom('enrolment_tokens').where('id', '=', id).returning('id').execute()
    return deleted.length > 0
  }

  async sweep(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'enrolment_tokens', sql`expires_at < now()`)
  }

  #live(db: Executor) {
    return db
      .selectFrom('enrolment_tokens')
      .select(columns)
      .where('expires_at', '>', sql<Date>`now()`)
      .where((eb) => eb('uses', '<', eb.ref('max_uses')))
  }
}
