import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { experimentOf, Party, Reporter, soon } from './parties.ts'

const it = test.override('variables', {
  MANC_EXPERIMENTS: '2',
  MANC_EXPERIMENTS_KEPT: '3',
  MANC_EXPERIMENTS_PER_HOUR: '5',
  MANC_EXPERIMENT_RUNS_TOTAL: '40',
  MANC_EXPERIMENT_DAYS: '30',
})

describe('limits of experiments', () => {
  it('are of those in progress, those stored and those of an hour, for each owner', async ({
    environment,
  }) => {
    const [operator, other] = [await Party.user(environment), await Party.user(environment)]
    const one = () => operator.post(experimentOf({ policies: ['none'], repetitions: 1 }))
    const [first, second] = [await one(), await one()]
    expect([first.status, second.status]).toEqual([200, 200])
    const third = await one()
    expect([third.status, third.body.detail]).toEqual([409, expect.stringContaining('are in progress')])
    await operator.send('POST', `/${first.body.id}/cancel`)
    await operator.send('POST', `/${second.body.id}/cancel`)
    expect((await one()).status).toBe(200)
    const stored = await one()
    expect([stored.status, stored.body.detail]).toEqual([409, expect.stringContaining('are stored')])
    await operator.send('DELETE', `/${first.body.id}`)
    expect((await one()).status).toBe(200)
    // Deleted ones count as well: this would be the fifth within an hour, of which three are left.
    await operator.send('DELETE', `/${second.body.id}`)
    const newest = async () => (await operator.send('GET', `?owner=${operator.name}`)).body[0].id
    await operator.send('DELETE', `/${await newest()}`)
    expect((await one()).status).toBe(200)
    await operator.send('DELETE', `/${await newest()}`)
    const often = await one()
    expect([often.status, often.body.detail]).toEqual([429, expect.stringContaining('in an hour')])
    expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.post()).status).toBe(200)
  })

  it('delete the oldest what-if that has ended instead of refusing another experiment', async ({
    environment,
  }) => {
    const operator = await Party.user(environment)
    const start = async () => {
      const { id } = await operator.create({ policies: ['none'], repetitions: 1 })
      await operator.send('POST', `/${id}/cancel`)
      return id
    }
    const [comparison, older, newer] = [await start(), await start(), await start()]
    await environment.sql(`update experiments set kind = 'what_if' where id = any($1)`, [[older, newer]])
    const another = await start()
    const { body } = await operator.send('GET', `?owner=${operator.name}`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([another, newer, comparison])
  })

  it('are of all runs of the installation', async ({ environment }) => {
    await environment.sql('delete from experiments')
    const [first, second] = [await Party.user(environment), await Party.user(environment)]
    const many = experimentOf({ policies: ['none'], repetitions: 30 })
    const { body } = await first.post(many)
    const refused = await second.post(many)
    expect([refused.status, refused.body.detail]).toEqual([
      429,
      expect.stringContaining('of all experiments'),
    ])
    expect((await second.send('GET', `?owner=${second.name}`)).body).toEqual([])
    await first.send('POST', `/${body.id}/cancel`)
    expect((await second.post(many)).status).toBe(200)
  })

  it('delete old experiments that have ended', async ({ environment }) => {
    await environment.sql('delete from experiments')
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const [ended, open] = [
      await operator.create({ policies: ['none'], repetitions: 1 }),
      await operator.create({ policies: ['none'], repetitions: 1 }),
    ]
    await reporter.finish(await reporter.runId(ended.id, 1), 1)
    await environment.sql(`update experiments set created_at = now() - interval '31 days'`)
    const own = `?owner=${operator.name}`
    const listed = async () => (await operator.send('GET', own)).body.map(({ id }: { id: string }) => id)
    // A process sweeps at its start, and then once a minute.
    await environment.startServer()
    await expect.poll(listed, soon).toEqual([open.id])
  })
})
