import { type ServerProcess, startServerProcess } from '@manc/harness'
import { test as base } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { change, changed, Rollouts, soon } from './environment.ts'

const it = base.override('variables', { MANC_ROLES: 'api' })
const workers: ServerProcess[] = []

afterAll(async () => {
  for (const worker of workers) await worker.stop('SIGKILL')
})

it('a rollout whose worker is killed in the middle of a stage continues, and changes each access point once', async ({
  environment,
}) => {
  const rollouts = new Rollouts(environment)
  const startWorker = async () => {
    const variables = { ...environment.variables, MANC_ROLES: 'subscriber', MANC_API_URL: environment.url }
    const worker = await startServerProcess(variables)
    workers.push(worker)
    return worker
  }
  const ids = await rollouts.createAgents(60)
  // The worker waits for this one, in a transaction.
  const held = ids[30] ?? ''
  const holding = environment
    .sql(
      `do $$ begin perform 1 from agents where ap_id = '${held}' for update; perform pg_sleep(300); end $$`,
    )
    .catch((error: Error) => error)
  const isHeld = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await expect.poll(async () => environment.sql(isHeld), soon).toHaveLength(1)
  const id = await rollouts.start({ agents: ids, change, wait_s: 0 })
  const killed = await startWorker()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => environment.sql(waiting), soon).toHaveLength(1)
  await killed.stop('SIGKILL')
  expect(await rollouts.progress(id)).toEqual({ applied: 30, pending: 30 })

  await Promise.all([startWorker(), startWorker()])
  await environment.sql(
    `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  )
  expect(String(await holding)).toContain('cancel')
  await rollouts.becomes(id, 'completed')
  expect(await rollouts.progress(id)).toEqual({ applied: 60 })
  expect(await rollouts.versions(ids)).toEqual({ 2: 60 })
  expect(await rollouts.configuration(held)).toEqual(changed)
  const [{ count }] = await environment.sql(
    `select count(*)::int from audit where action = 'agent.update' and target = any($1::text[])`,
    [ids],
  )
  expect(count).toBe(60)
}, 180_000)
