import { describe, expect, it } from 'vitest'
import { sqlUsageOf } from './sql-usage.ts'

const writesIn = (source: string) =>
  sqlUsageOf(source)
    .filter(({ kind }) => kind === 'write')
    .map(({ table, line }) => `${table ?? '?'}:${line}`)

describe('The detector of table writes', () => {
  it.each([
    ['insert into', 'sql`insert into users (id) values (${id})`'],
    ['insert into … as', 'sql`insert into users as known (id) values (1)`'],
    ['update … set', 'sql`update users set name = ${name}`'],
    ['update with an alias', 'sql`update users as u set name = 1`'],
    ['update with a short alias', 'sql`update only users u set name = 1`'],
    ['delete from', "client.query('delete from users where id = 1')"],
    ['delete from only', 'sql`DELETE FROM ONLY users`'],
    ['truncate', 'sql`truncate users`'],
    ['truncate table', 'sql`truncate table only users`'],
    ['copy … from', "client.query('copy users (id, name) from stdin')"],
    ['copy … from without columns', "client.query('copy users from stdin')"],
    ['merge into', 'sql`merge into users using other on true when matched then delete`'],
    ['a quoted name', 'client.query(\'insert into "users" (id) values (1)\')'],
    ['a qualified name', 'sql`insert into public.users (id) values (1)`'],
    ['insertInto', "db.insertInto('users').values({})"],
    ['updateTable', "db.updateTable('users as u').set({})"],
    ['deleteFrom', "tx.deleteFrom('users').execute()"],
    ['mergeInto', "db.mergeInto('users').using('other')"],
    ['deleteInBatches', "deleteInBatches(db, 'users', sql`true`)"],
    ['a builder call on its own line', "\n\ndb\n .deleteFrom('users')", 4],
    ['a typed template', 'sql<{ id: string }>`insert into users (id) values (1) returning id`'],
    ['a plain template', 'read(`with a as (\n  select 1\n) update users set id = ${one}`)', 3],
    ['a later line after an expression', 'sql`with a as (${\n  b\n})\ninsert into users select 1`', 4],
  ])('finds %s', (_name, source, line = 1) => {
    expect(writesIn(source)).toEqual([`users:${line}`])
  })

  it('finds every write of one statement', () => {
    const source = 'sql`with gone as (delete from a returning id)\ninsert into b select id from gone`'
    expect(writesIn(source).sort()).toEqual(['a:1', 'b:2'])
  })

  it('reports a write whose table is not in the text without a table', () => {
    expect(writesIn('sql`delete from ${sql.table(name)}`')).toEqual(['?:1'])
    expect(writesIn('db.deleteFrom(table)')).toEqual(['?:1'])
  })

  it('does not take locks, upserts, comments and sentences for writes', () => {
    const source = `
      // insert into users
      /* delete from users */
      sql\`select 1 from users for update skip locked\`
      sql\`insert into a (id) values (1) on conflict (id) do update set id = excluded.id -- delete from users\`
      log.warn('The update was set aside; copy it from the log.')`
    expect(writesIn(source)).toEqual(['a:5'])
  })
})

describe('The detector of queries', () => {
  it.each([
    ['a template', 'const one = sql`now()`'],
    ['a typed template', 'sql<boolean>`a > b`'],
    ['a builder', "db.selectFrom('users').selectAll()"],
    ['a query string', "read('users', 'select id from users', [])"],
    ['a query string with a call', "read('lock', 'select pg_advisory_lock(1)', [])"],
    ['a common table expression', "read('x', 'with a as (select 1) table a', [])"],
    ['a change of the schema', "client.query('create table x (id int)')"],
  ])('finds %s', (_name, source) => {
    expect(sqlUsageOf(source).map(({ kind }) => kind)).toContain('query')
  })

  it('does not take sentences for queries', () => {
    expect(sqlUsageOf("log.info('Select another one. Then update the agents from here.')")).toEqual([])
  })
})
