import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { usernameKey } from '../../usernames.ts'

export interface User {
  id: string
  username: string
  roles: string[]
  isAdmin: boolean
  tokenVersion: number
}

export interface UserWithPassword extends User {
  passwordHash: string
}

export interface UnconfirmedUser {
  id: string
  username: string
  passwordHash: string
}

/** The recipient of an e-mail. */
export interface Recipient {
  id: string
  username: string
  /** Of an account that is not confirmed: how long it can be. */
  confirmWithinS: number | null
}

const columns = ['id', 'username', 'roles', 'is_admin as isAdmin', 'token_version as tokenVersion'] as const

const secondsLeft = sql<number | null>`extract(epoch from confirm_by - now())::float8`
const isConfirmed = sql<boolean>`confirm_by is null`
/** Of sign-ups that were not confirmed in time, only the removal is still to come. */
const isLive = sql<boolean>`(confirm_by is null or confirm_by > now())`

/** Users who have signed up and are not confirmed are left out, unless the method says otherwise. */
export class UserStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Undefined where the name is taken. */
  async insert(
    tx: Executor,
    user: {
      id: string
      username: string
      passwordHash: string
      roles: string[]
      isAdmin: boolean
      confirmWithinS?: number | undefined
    },
  ): Promise<User | undefined> {
    return tx
      .insertInto('users')
      .values({
        id: user.id,
        username: user.username,
        username_key: usernameKey(user.username),
        password_hash: user.passwordHash,
        roles: user.roles,
        is_admin: user.isAdmin,
        confirm_by:
          user.confirmWithinS === undefined
            ? null
            : sql<Date>`now() + make_interval(secs => ${user.confirmWithinS})`,
      })
      .onConflict((conflict) => conflict.column('username_key').doNothing())
      .returning(columns)
      .executeTakeFirst()
  }

  async find(username: string): Promise<User | undefined> {
    return this.#postgres.db
      .selectFrom('users')
      .select(columns)
      .where('username_key', '=', usernameKey(username))
      .where(isConfirmed)
      .executeTakeFirst()
  }

  /** Also a user who is not confirmed. */
  async findForLogin(username: string): Promise<(UserWithPassword & { isConfirmed: boolean }) | undefined> {
    return this.#postgres.db
      .selectFrom('users')
      .select([...columns, 'password_hash as passwordHash', isConfirmed.as('isConfirmed')])
      .where('username_key', '=', usernameKey(username))
      .where(isLive)
      .executeTakeFirst()
  }

  /** Also a user who is not confirmed. */
  async findRecipient(username: string): Promise<Recipient | undefined> {
    return this.#postgres.db
      .selectFrom('users')
      .select(['id', 'username', secondsLeft.as('confirmWithinS')])
      .where('username_key', '=', usernameKey(username))
      .where(isLive)
      .executeTakeFirst()
  }

  async findUnconfirmed(id: string): Promise<UnconfirmedUser | undefined> {
    return this.#postgres.db
      .selectFrom('users')
      .select(['id', 'username', 'password_hash as passwordHash'])
      .where('id', '=', id)
      .where('confirm_by', '>', sql<Date>`now()`)
      .executeTakeFirst()
  }

  async confirm(tx: Executor, id: string): Promise<User | undefined> {
    return tx
      .updateTable('users')
      .set({ confirm_by: null })
      .where('id', '=', id)
      .where('confirm_by', '>', sql<Date>`now()`)
      .returning(columns)
      .executeTakeFirst()
  }

  /** Frees the name. Serialises the creations of it until the transaction ends, so that the later one replaces the earlier. */
  async deleteUnconfirmed(tx: Executor, username: string): Promise<void> {
    const key = usernameKey(username)
    await sql`select pg_advisory_xact_lock(hashtext(${`user ${key}`}))`.execute(tx)
    await tx.deleteFrom('users').where('username_key', '=', key).where('confirm_by', 'is not', null).execute()
  }

  /** Removes users who were not confirmed in time. */
  async deleteExpired(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'users', sql`confirm_by < now()`)
  }

  /** Locks the row until the transaction ends, so that changes of one user are serialised. */
  async lock(tx: Executor, username: string): Promise<UserWithPassword | undefined> {
    return tx
      .selectFrom('users')
      .select([...columns, 'password_hash as passwordHash'])
      .where('username_key', '=', usernameKey(username))
      .where(isConfirmed)
      .forUpdate()
      .executeTakeFirst()
  }

  async update(
    tx: Executor,
    id: string,
    change: { passwordHash?: string; roles?: string[]; isAdmin?: boolean; isConfirmed?: true },
  ): Promise<User> {
    return tx
      .updateTable('users')
      .set({
        ...(change.passwordHash !== undefined && { password_hash: change.passwordHash }),
        ...(change.roles && { roles: change.roles }),
        ...(change.isAdmin !== undefined && { is_admin: change.isAdmin }),
        ...(change.isConfirmed && { confirm_by: null }),
      })
      .set((eb) => ({ token_version: eb('token_version', '+', 1) }))
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
  }

  async delete(tx: Executor, id: string): Promise<void> {
    await tx.deleteFrom('users').where('id', '=', id).execute()
  }

  /** One page, ordered by name. */
  async page(after: string, limit: number): Promise<User[]> {
    return this.#postgres.db
      .selectFrom('users')
      .select(columns)
      .where('username_key', '>', usernameKey(after))
      .where(isConfirmed)
      .orderBy('username_key')
      .limit(limit)
      .execute()
  }

  async hasAdmin(executor: Executor = this.#postgres.db): Promise<boolean> {
    const found = await executor
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .limit(1)
      .execute()
    return found.length > 0
  }

  async isOnlyAdmin(tx: Executor, id: string): Promise<boolean> {
    const others = await tx
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('id', '!=', id)
      .limit(1)
      .execute()
    return others.length === 0
  }

  /** Serialises changes of administrators until the transaction ends, so that at least one always remains. */
  async lockAdministration(tx: Executor): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('manc administrators'))`.execute(tx)
  }
}
