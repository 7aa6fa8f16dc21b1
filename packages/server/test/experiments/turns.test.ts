import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Party, Reporter, resultOf, soon } from './parties.ts'

const it = test.override('variables', { MANC_EXPERIMENTS: '1000', MANC_EXPERIMENTS_PER_HOUR: '1000' })

it('few runs are in the queue, and owners take turns, however many experiments one of them has', async ({
  environment,
}) => {
  const [first, second] = [await Party.user(environment), await Party.user(environment)]
  const reporter = new Reporter(environment)
  /** Numbers of runs in the queue, of both owners. */
  const queued = async () => {
    const rows = await environment.sql(
      `select owner_name as owner, count(*)::int as runs from experiment_runs r join experiments e on e.id = r.experiment_id
       where is_offered group by owner_name`,
    )
    return [first, second].map(({ name }) => rows.find(({ owner }) => owner === name)?.runs ?? 0)
  }
  const large = { policies: ['none'], repetitions: 30 }
  const { id } = await first.create(large)
  // Without an emulator that executes one.
  await expect.poll(queued, soon).toEqual([4, 0])
  for (let n = 0; n < 3; n++) await first.create(large)
  await second.create({ ...large, repetitions: 2 })
  expect(await queued()).toEqual([4, 0])
  for (const run of [1, 2, 3, 4]) {
    const runId = await reporter.runId(id, run)
    expect(await reporter.report(runId, 'finished', { result: resultOf(1) })).toBe(200)
  }
  await expect.poll(queued, soon).toEqual([2, 2])
})

it('more runs are in the queue while more of them are executed', async ({ environment }) => {
  await environment.sql('delete from experiments')
  const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
  const { id } = await operator.create({ policies: ['none'], repetitions: 30 })
  for (const run of [1, 2, 3])
    expect(await reporter.report(await reporter.runId(id, run), 'started')).toBe(200)
  const queued = async () => {
    // As an emulator does, so that the leases do not end.
    for (const run of [1, 2, 3]) await reporter.report(await reporter.runId(id, run), 'running')
    const [found] = await environment.sql(
      `select count(*)::int as runs from experiment_runs where state = 'waiting' and is_offered`,
    )
    return found.runs
  }
  await expect.poll(queued, soon).toBe(4 + 2 * 3)
})
