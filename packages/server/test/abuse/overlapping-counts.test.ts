import { randomUUID } from 'node:crypto'
import { test as it } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { Postgres, sql, type Tx } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { QuotaStore } from '../../src/modules/emulations/quotas.store.ts'
import { ExperimentChangeStore } from '../../src/modules/experiments/experiment-changes.store.ts'

const log = createLog('silent')
let postgres: Postgres

it.beforeAll(({ environment }) => {
  const { databaseUrl: url } = environment
  postgres = new Postgres({ url, connections: 2, log, metrics: new Metrics(log), timeoutMs: 20_000 })
})
afterAll(() => postgres?.stop())

it.for([
  ['emulations', (tx: Tx, owner: string) => new QuotaStore(postgres).countStart(tx, owner, 2)],
  ['experiments', (tx: Tx, owner: string) => new ExperimentChangeStore(postgres).countStart(tx, owner, 2)],
] as const)('%s of one owner in overlapping transactions count once each', async ([, count]) => {
  const owner = randomUUID()
  await postgres.transaction(async (early) => {
    // The time of a transaction is that of its first statement.
    await sql`select now()`.execute(early)
    await postgres.transaction((late) => count(late, owner))
    // With a limit of two an hour, this one is not beyond it.
    expect(await count(early, owner)).toBe(2)
  })
  expect(await postgres.transaction((tx) => count(tx, owner))).toBeGreaterThan(2)
})
