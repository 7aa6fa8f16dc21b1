import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { lastHorizon } from '../../src/engines/postgres.horizon.ts'
import { migrate, Postgres, sql } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { CommandStore } from '../../src/modules/commands/commands.store.ts'
import { PartStore } from '../../src/modules/commands/parts.store.ts'
import { LeaseStore } from '../../src/modules/jobs/leases.store.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
const owner = '11111111-1111-4111-8111-111111111111'
const [parents, partsOfEach] = [20, 250]
const batch = 50
const attempts = { retry: { minS: 3, maxS: 60 }, livesForS: 300 }
/** Each row may be read by more than one part of a statement. All rows are 5,000. */
const maxRead = 10 * batch

let postgres: Postgres

it.beforeAll(async ({ environment }) => {
  const { databaseUrl: url } = environment
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 1, log, metrics: new Metrics(log), timeoutMs: 20_000 })
  // What the planner knows: a few commands to many agents, which have ended. Then thousands are due at once.
  await environment.sql('alter table jobs set (autovacuum_enabled = false)')
  await environment.sql('alter table commands set (autovacuum_enabled = false)')
  for (const parent of ['a', 'b']) await addParts(environment, parent, 'succeeded')
  await environment.sql('analyze jobs, commands')
  for (let n = 0; n < parents; n++) await addParts(environment, `parent-${n}`, 'queued')
})

afterAll(() => postgres?.stop())

type Database = { sql: (text: string, values?: unknown[]) => Promise<unknown[]> }

/** A command to many agents, its parts, and as many jobs for workers. */
async function addParts(environment: Database, parent: string, state: string): Promise<void> {
  await environment.sql(
    `insert into jobs (job_number, kind, owner, state, request, ends_by)
     values ($1, 'send_commands', $2, 'open', '{}', now() + interval '1 hour')`,
    [parent, owner],
  )
  await environment.sql(
    `insert into jobs (job_number, kind, owner, state, request, ends_by, parent)
     select $1 || kind || n, kind, $2, $3, '{}', now() + interval '1 hour', case when kind = 'send_command' then $1 end
     from generate_series(1, $4::int) as n, unnest(array['send_command', 'agent_data']) as kind`,
    [parent, owner, state, partsOfEach],
  )
  await environment.sql(
    `insert into commands (job_number, ap_id, owner, command, state, expires_at, parent)
     select job_number, job_number, owner, 'status', state, now() + interval '1 hour', parent
     from jobs where parent = $1`,
    [parent],
  )
}

/** Entries of indexes, and rows of whole tables, that the statement has read. */
async function rowsRead(environment: Database, act: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [row] = (await environment.sql(`
      select (select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('jobs', 'commands'))
        + (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('jobs', 'commands')) as rows`)) as {
      rows: string
    }[]
    return Number(row?.rows)
  }
  const flush = () => sql`select pg_stat_force_next_flush()`.execute(postgres.db)
  await flush()
  const before = await read()
  await act()
  await flush()
  return (await read()) - before
}

it('the next commands are found without reading all that are due', async ({ environment }) => {
  const commands = new CommandStore(postgres)
  const turn = { afterOwner: undefined, limit: 500, maxPerOwner: batch }
  const read = await rowsRead(environment, async () =>
    expect(await commands.takeDue(turn, attempts)).toHaveLength(batch),
  )
  expect(read).toBeLessThan(maxRead)
})

it('commands that were announced are found without reading others', async ({ environment }) => {
  const commands = new CommandStore(postgres)
  const announced = Array.from({ length: batch }, (_, n) => `parent-5send_command${n + 1}`)
  let taken: string[] = []
  const read = await rowsRead(environment, async () => {
    taken = (await commands.takeAnnounced(announced, 10, attempts)).map(({ jobNumber }) => jobNumber)
  })
  expect(taken).toHaveLength(10)
  expect(announced).toEqual(expect.arrayContaining(taken))
  expect(read).toBeLessThan(maxRead)
  // They are leased.
  expect(await commands.takeAnnounced(taken, 10, attempts)).toEqual([])
})

it('the next jobs are found without reading all that are due', async ({ environment }) => {
  const jobs = new LeaseStore(postgres)
  const search = {
    afterOwner: undefined,
    limit: batch,
    maxPerOwner: batch,
    running: new Map<string, number>(),
  }
  const read = await rowsRead(environment, async () =>
    expect((await jobs.due(search)).jobNumbers).toHaveLength(batch),
  )
  expect(read).toBeLessThan(maxRead)
})

it('the progress of each command to many agents is counted from its own parts', async ({ environment }) => {
  const parts = new PartStore(postgres)
  const read = await rowsRead(environment, async () =>
    expect(await parts.changedProgress()).toHaveLength(parents + 2),
  )
  const all = (parents + 2) * partsOfEach
  expect(read).toBeLessThan(2 * all)
})

it('when one part changes, only the progress of its own command to many agents is counted', async ({
  environment,
}) => {
  const parts = new PartStore(postgres)
  const { horizon } = await parts.parentsSince(lastHorizon)
  await environment.sql(
    `update commands set state = 'delivered', transaction_id = pg_current_xact_id() where job_number = $1`,
    ['parent-3send_command7'],
  )
  const read = await rowsRead(environment, async () => {
    const { parents: changed } = await parts.parentsSince(horizon)
    expect(changed).toEqual(['parent-3'])
    expect(await parts.changedProgress(changed)).toMatchObject([{ jobNumber: 'parent-3', isComplete: false }])
  })
  expect(read).toBeLessThan(2 * partsOfEach)
})

it('how many commands wait for an agent is counted without reading those for others', async ({
  environment,
}) => {
  const commands = new CommandStore(postgres)
  const apIds = ['parent-1send_command1', 'parent-1send_command2', 'an-agent-without-commands']
  const read = await rowsRead(environment, () =>
    postgres.transaction(async (tx) => {
      expect(await commands.withTooMany(tx, apIds, owner, 1)).toEqual(apIds.slice(0, 2))
      expect(await commands.withTooMany(tx, apIds, owner, 2)).toEqual([])
      expect(await commands.withTooMany(tx, apIds, '22222222-2222-4222-8222-222222222222', 1)).toEqual([])
    }),
  )
  expect(read).toBeLessThan(maxRead)
})
