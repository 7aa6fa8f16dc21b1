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

const columns = ['id', 'username', 'roles', 'is_admin as isAdmin', 'token_version as tokenVersion'] as const

export class UserStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Undefined where the name is taken. */
  async insert(
    tx: Executor,
    user: { id: string; username: string; passwordHash: string; roles: string[]; isAdmin: boolean },
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
      .executeTakeFirst()
  }

  async findForLogin(username: string): Promise<UserWithPassword | undefined> {
    return this.#postgres.db
      .selectFrom('users')
      .select([...columns, 'password_hash as passwordHash'])
      .where('username_key', '=', usernameKey(username))
      .executeTakeFirst()
  }

  /** Locks the row until the transaction ends, so that changes of one user are serialised. */
  async lock(tx: Executor, username: string): Promise<UserWithPassword | undefined> {
    return tx
      .selectFrom('users')
      .select([...columns, 'password_hash as passwordHash'])
      .where('username_key', '=', usernameKey(username))
      .forUpdate()
      .executeTakeFirst()
  }

  async update(
    tx: Executor,
    id: string,
    change: { passwordHash?: string; roles?: string[]; isAdmin?: boolean },
  ): Promise<User> {
    return tx
      .updateTable('users')
      .set({
        ...(change.passwordHash !== undefined && { password_hash: change.passwordHash }),
        ...(change.roles && { roles: change.roles }),
        ...(change.isAdmin !== undefined && { is_admin: change.isAdmin }),
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
