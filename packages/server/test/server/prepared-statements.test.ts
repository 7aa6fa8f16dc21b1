import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { migrate, Postgres, sql } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'

const it = test.override('withServer', false)
const log = createLog('silent')

it('a connection plans a statement once, and keeps it when a table gets a column', async ({
  environment: { databaseUrl: url },
}) => {
  await migrate(url, log)
  const postgres = new Postgres({ url, connections: 1, log, metrics: new Metrics(log) })
  const countJobs = async (kind: string) => {
    const { rows } = await sql<{ jobs: number }>`
      select count(*)::int as jobs from jobs where kind = ${kind}`.execute(postgres.db)
    return rows[0]?.jobs
  }
  try {
    for (const kind of ['agent_data', 'agent_details', 'agent_live']) expect(await countJobs(kind)).toBe(0)
    const { rows: prepared } = await sql<{ statement: string; executions: number }>`
      select statement, (generic_plans + custom_plans)::int as executions from pg_prepared_statements
    `.execute(postgres.db)
    expect(prepared).toEqual([
      { statement: expect.stringContaining('from jobs where kind = $1'), executions: 3 },
    ])
    await sql`alter table jobs add column added_by_the_next_release text`.execute(postgres.db)
    expect(await countJobs('agent_data')).toBe(0)
  } finally {
    await postgres.stop()
  }
})
