import { execFile } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type IsolatedEnvironment, sqlAt } from '@manc/harness'
import { testWithEngines as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { firstHorizon } from '../../src/engines/postgres.horizon.ts'
import { Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { RevocationStore } from '../../src/modules/revocations/revocations.store.ts'

const run = promisify(execFile)
const lost = '00000000-0000-4000-8000-000000000001'
const soon = { timeout: 30_000, interval: 200 }

it('a replica misses no change after a failover to a standby that lacks the last transactions', async ({
  environment,
}) => {
  const log = createLog('silent')
  const standby = await copyOfDatabase(environment)
  await expect
    .poll(
      () =>
        environment.sql('select 1').then(
          () => true,
          () => false,
        ),
      soon,
    )
    .toBe(true)
  await environment.sql(
    'do $$ begin for n in 1..2000 loop perform pg_current_xact_id(); commit; end loop; end $$',
  )
  const postgres = new Postgres({
    url: environment.databaseUrl,
    connections: 2,
    log,
    metrics: new Metrics(log),
  })
  const store = new RevocationStore(postgres)
  try {
    const { horizon } = await store.changesSince(firstHorizon)
    await failOverTo(standby, environment)
    // The id of its transaction is one that was lost, below the horizon.
    await environment.sql(`insert into revocations (subject, version) values ($1, 1)`, [lost])
    const found = async () => {
      const { rows } = await store.changesSince(horizon)
      return rows.map(({ subject }) => subject)
    }
    await expect.poll(() => found().catch(() => []), soon).toContain(lost)
  } finally {
    await postgres.stop()
  }
}, 180_000)

const clusterOf = ({ set }: IsolatedEnvironment) => path.join(set.dataDir, 'postgres/cluster')

async function copyOfDatabase(environment: IsolatedEnvironment): Promise<string> {
  const copy = path.join(environment.set.dataDir, 'postgres/standby')
  await environment.set.stop('postgres')
  await run('cp', ['-a', clusterOf(environment), copy])
  await environment.set.start('postgres')
  return copy
}

/** The copy starts as a standby, and is promoted: its transactions have a new timeline. */
async function failOverTo(copy: string, environment: IsolatedEnvironment): Promise<void> {
  const { set, engines } = environment
  await set.kill('postgres')
  await rm(clusterOf(environment), { recursive: true })
  await rename(copy, clusterOf(environment))
  await writeFile(path.join(clusterOf(environment), 'standby.signal'), '')
  await set.start('postgres')
  await sqlAt(engines.postgres, 'select pg_promote()')
}
