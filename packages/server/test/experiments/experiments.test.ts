import { randomUUID } from 'node:crypto'
import { experimentQueue } from '@manc/contract'
import { parseExperimentRun } from '@manc/contract/experiment-messages'
import { uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { describe, expect } from 'vitest'
import { experimentOf, Party, Reporter, resultOf, smallWorld, soon } from './parties.ts'

const it = test.override('variables', { MANC_EXPERIMENTS: '1000', MANC_EXPERIMENTS_PER_HOUR: '1000' })

describe('an experiment', () => {
  it('has a run for each policy and seed, seed by seed, and no results at first', async ({ environment }) => {
    const operator = await Party.user(environment)
    const experiment = await operator.create({ seed: 'paper', duration_s: 600 })
    expect(experiment).toMatchObject({
      state: 'waiting',
      world: smallWorld,
      policies: ['none', 'best-experience'],
      documents: [],
      seed: 'paper',
      repetitions: 2,
      duration_s: 600,
      runs: 4,
      finished: 0,
      failed: 0,
      owner: operator.name,
      owner_kind: 'user',
      ended_at: null,
    })
    expect(experiment.run_list.map(({ run, policy, seed }) => [run, policy, seed])).toEqual([
      [1, 'none', 'paper-1'],
      [2, 'best-experience', 'paper-1'],
      [3, 'none', 'paper-2'],
      [4, 'best-experience', 'paper-2'],
    ])
    expect(experiment.results).toMatchObject([
      { policy: 'none', runs: 0, figures: { p5_mbps: { mean: null } } },
      { policy: 'best-experience', runs: 0 },
    ])
  })

  it('is created once by requests with the same key', async ({ environment }) => {
    const operator = await Party.user(environment)
    const [body, key] = [experimentOf(), randomUUID()]
    const answers = await Promise.all([1, 2, 3].map(() => operator.post(body, key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect((await operator.send('GET', `?owner=${operator.name}`)).body).toHaveLength(1)
  })

  it('is offered to emulators with all that they need', async ({ environment }) => {
    // The number of runs that are offered at once is limited.
    await environment.sql('delete from experiments')
    const operator = await Party.user(environment)
    const document = {
      name: 'mine',
      about: 'A test.',
      objective: 'load',
      fairness: 1,
      preference: { '5G': 1, WiFi: 1, LiFi: 1 },
      outage_aversion: 1,
      anticipate_blockages: false,
      sleep: false,
    }
    const { id } = await operator.create({ policies: ['none'], documents: [document], repetitions: 1 })
    const reporter = new Reporter(environment)
    const ids = [await reporter.runId(id, 1), await reporter.runId(id, 2)]
    const connection = await amqp.connect(environment.rabbitmqUrl)
    try {
      const channel = await connection.createChannel()
      const found = new Map<string, unknown>()
      const read = async () => {
        const message = await channel.get(experimentQueue, { noAck: true })
        const run = message ? parseExperimentRun(message.content.toString()) : undefined
        if (run) found.set(run.run_id, run)
        return ids.filter((each) => found.has(each)).length
      }
      await expect.poll(read, { ...soon, interval: 10 }).toBe(2)
      expect(ids.map((each) => found.get(each))).toEqual([
        { run_id: ids[0], world: smallWorld, duration_s: null, seed: 'run-1', policy: { name: 'none' } },
        { run_id: ids[1], world: smallWorld, duration_s: null, seed: 'run-1', policy: { document } },
      ])
    } finally {
      await connection.close()
    }
  })

  it('ends with its last run, with statistics over the seeds', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create()
    const figures = [1, 2, 3, 6]
    for (const [n, p5] of figures.entries()) {
      expect(await reporter.finish(await reporter.runId(id, n + 1), p5)).toBe(200)
      expect((await operator.get(id)).state).toBe(n < 3 ? 'running' : 'finished')
    }
    const experiment = await operator.get(id)
    expect(experiment).toMatchObject({ finished: 4, failed: 0, ended_at: expect.any(String) })
    const [none, ours] = experiment.results
    expect(none?.figures.p5_mbps).toMatchObject({ mean: 2, median: 2, p5: 1, p95: 3, difference: null })
    // 95 % of Student with one degree of freedom.
    expect(none?.figures.p5_mbps.interval).toBeCloseTo(12.706, 3)
    expect(ours?.figures.p5_mbps).toMatchObject({ mean: 4, difference: 2 })
    expect(ours?.figures.outage_s.mean).toBeNull()
    const { body: run } = await operator.send('GET', `/${id}/runs/4`)
    expect(run).toMatchObject({ run: 4, policy: 'best-experience', seed: 'run-2', ...resultOf(6) })
  })

  it('is exported as CSV, by runs and by points in time', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create({ seed: '=1,"x"', repetitions: 1 })
    await reporter.finish(await reporter.runId(id, 1), 1.25)
    const runs = await operator.send('GET', `/${id}/export`)
    expect(runs.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(runs.headers.get('content-disposition')).toContain(`${id}.csv`)
    const lines = String(runs.body).split('\r\n')
    expect(lines[0]).toMatch(/^run,policy,seed,state,mean_mbps,p5_mbps,/)
    expect(lines[1]).toMatch(/^1,none,"'=1,""x""-1",finished,0,1\.25,0,0,,0,/)
    expect(lines[2]).toMatch(/^2,best-experience,.*,waiting,,,/)
    expect(lines).toHaveLength(4)
    const { body: series } = await operator.send('GET', `/${id}/export?what=series`)
    expect(
      String(series)
        .split('\r\n')
        .slice(0, 3)
        .map((line) => line.replace(/".*"/, 'SEED')),
    ).toEqual([
      'run,policy,seed,s,mean_mbps,p5_mbps,clients,handovers',
      '1,none,SEED,9,1,0.5,2,0',
      '1,none,SEED,19,2,1.25,1,3',
    ])
  })

  it('is listed with the newest first, by owner and state, page by page', async ({ environment }) => {
    const operator = await Party.user(environment)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await operator.create()).id)
    await operator.send('POST', `/${ids[2]}/cancel`)
    const idsIn = (body: { id: string }[]) => body.map(({ id }) => id)
    const first = await operator.send('GET', `?owner=${operator.name}&limit=2`)
    expect(idsIn(first.body)).toEqual(ids.slice(0, 2))
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect(idsIn((await environment.request('GET', next)).body)).toEqual(ids.slice(2))
    const cancelled = await operator.send('GET', `?owner=${operator.name}&state=cancelled`)
    expect(idsIn(cancelled.body)).toEqual(ids.slice(2))
    expect((await operator.send('GET', '?after=x')).status).toBe(422)
    expect((await operator.send('GET', '/unknown')).status).toBe(404)
    expect((await operator.send('GET', `/${ids[0]}/runs/9`)).status).toBe(404)
  })

  it('that is cancelled keeps its results, and its runs are not wanted any more', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create()
    const [first, second] = [await reporter.runId(id, 1), await reporter.runId(id, 2)]
    await reporter.finish(first, 1)
    expect(await reporter.report(second, 'started')).toBe(200)
    const { body } = await operator.send('POST', `/${id}/cancel`)
    expect(body).toMatchObject({ state: 'cancelled', finished: 1, ended_at: expect.any(String) })
    expect(await reporter.report(second, 'running', { progress_pct: 50 })).toBe(409)
    expect(await reporter.report(second, 'finished', { result: resultOf(2) })).toBe(409)
    const { run_list: runs, results } = await operator.get(id)
    expect(runs.map(({ state }) => state)).toEqual(['finished', 'cancelled', 'cancelled', 'cancelled'])
    expect(results[0]).toMatchObject({ runs: 1 })
    // Again: it stays as it is.
    expect((await operator.send('POST', `/${id}/cancel`)).body).toEqual(body)
  })

  it('that is deleted is gone with its runs', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create()
    const run = await reporter.runId(id, 1)
    expect(await reporter.report(run, 'started')).toBe(200)
    expect((await operator.send('DELETE', `/${id}`)).status).toBe(200)
    expect((await operator.send('GET', `/${id}`)).status).toBe(404)
    expect((await operator.send('DELETE', `/${id}`)).status).toBe(404)
    expect(await reporter.report(run, 'finished', { result: resultOf(1) })).toBe(404)
    expect(await environment.sql('select from experiment_runs where experiment_id = $1', [id])).toEqual([])
  })

  it('whose time is over fails, with the results so far', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create()
    await reporter.finish(await reporter.runId(id, 1), 1)
    await environment.sql(`update experiments set expires_at = now() - interval '1 s' where id = $1`, [id])
    await expect.poll(async () => (await operator.get(id)).state, soon).toBe('failed')
    const { finished, failed, run_list: runs } = await operator.get(id)
    expect([finished, failed]).toEqual([1, 3])
    expect(runs[1]).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('Start more emulators'),
    })
  })
})

describe('a run of an experiment', () => {
  it('is executed by the emulator that has its lease', async ({ environment }) => {
    const [operator, first, second] = [
      await Party.user(environment),
      new Reporter(environment),
      new Reporter(environment),
    ]
    const { id } = await operator.create()
    const run = await first.runId(id, 1)
    expect(await first.report(run, 'started')).toBe(200)
    expect(await first.report(run, 'started')).toBe(200)
    expect(await second.report(run, 'started')).toBe(409)
    expect(await second.report(run, 'running')).toBe(409)
    expect(await first.report(run, 'running', { progress_pct: 40 })).toBe(200)
    expect((await operator.get(id)).run_list[0]).toMatchObject({
      state: 'running',
      progress_pct: 40,
      attempts: 1,
    })
    // The broker delivers it again after the first emulator has disconnected.
    expect(await second.report(run, 'started', { redelivered: true })).toBe(200)
    expect(await first.report(run, 'running')).toBe(409)
    expect((await operator.get(id)).run_list[0]).toMatchObject({ attempts: 2, progress_pct: 0 })
  })

  it('has one result, however often it is reported and by which emulator', async ({ environment }) => {
    const [operator, first, second] = [
      await Party.user(environment),
      new Reporter(environment),
      new Reporter(environment),
    ]
    const { id } = await operator.create({ repetitions: 1 })
    const run = await first.runId(id, 1)
    expect(await first.report(run, 'started')).toBe(200)
    const reports = await Promise.all(
      [first, second, first].map((each) => each.report(run, 'finished', { result: resultOf(7) })),
    )
    expect(reports).toEqual([200, 200, 200])
    // The first one stays.
    expect(await second.report(run, 'finished', { result: resultOf(8) })).toBe(200)
    expect(await second.report(run, 'failed', { detail: 'x' })).toBe(409)
    expect(await operator.get(id)).toMatchObject({ state: 'running', finished: 1, failed: 0 })
    expect((await operator.get(id)).run_list[0]?.figures?.p5_mbps).toBe(7)
    expect(environment.server.logged()).toContain('was repeated with another result')
  })

  it('waits again when its emulator does not report any more, and fails when that happens often', async ({
    environment,
  }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create({ policies: ['none'], repetitions: 1 })
    const run = await reporter.runId(id, 1)
    const state = async () => (await operator.get(id)).run_list[0]?.state
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await reporter.report(run, 'started')).toBe(200)
      await environment.sql(`update experiment_runs set due_at = now() - interval '1 s' where id = $1`, [run])
      await expect.poll(state, soon).toBe(attempt < 5 ? 'waiting' : 'failed')
    }
    const experiment = await operator.get(id)
    expect(experiment).toMatchObject({ state: 'failed', failed: 1 })
    expect(experiment.run_list[0]?.detail).toContain('5 emulators have stopped')
  })

  it('that fails does not end the others', async ({ environment }) => {
    const [operator, reporter] = [await Party.user(environment), new Reporter(environment)]
    const { id } = await operator.create({ repetitions: 1 })
    const [first, second] = [await reporter.runId(id, 1), await reporter.runId(id, 2)]
    await reporter.report(first, 'started')
    expect(await reporter.report(first, 'failed', { detail: 'out of memory' })).toBe(200)
    expect((await operator.get(id)).state).toBe('running')
    expect(await reporter.finish(second, 3)).toBe(200)
    const experiment = await operator.get(id)
    expect(experiment).toMatchObject({ state: 'failed', finished: 1, failed: 1 })
    expect(experiment.run_list[0]).toMatchObject({ state: 'failed', detail: 'out of memory', figures: null })
    expect(await reporter.report(randomUUID(), 'finished', { result: resultOf(1) })).toBe(404)
  })
})

describe('experiments of others', () => {
  const both = ['experiments:read', 'experiments:write']

  it('are read by operators, and changed by administrators only', async ({ environment }) => {
    const [owner, other] = [await Party.user(environment), await Party.user(environment)]
    const admin = await Party.user(environment, 'admin')
    const { id } = await owner.create()
    expect((await other.get(id)).owner).toBe(owner.name)
    expect((await other.send('POST', `/${id}/cancel`)).status).toBe(403)
    expect((await other.send('DELETE', `/${id}`)).status).toBe(403)
    expect((await admin.send('POST', `/${id}/cancel`)).status).toBe(200)
    expect((await admin.send('DELETE', `/${id}`)).status).toBe(200)
  })

  it('do not exist for apps', async ({ environment }) => {
    const [owner, other] = [await Party.app(environment, both), await Party.app(environment, both)]
    const { id } = await owner.create()
    for (const path of [`/${id}`, `/${id}/runs/1`, `/${id}/export`])
      expect([(await owner.send('GET', path)).status, (await other.send('GET', path)).status]).toEqual([
        200, 404,
      ])
    expect((await other.send('POST', `/${id}/cancel`)).status).toBe(404)
    expect((await other.send('DELETE', `/${id}`)).status).toBe(404)
    expect((await other.send('GET', '')).body).toEqual([])
    expect((await owner.send('GET', '')).body).toMatchObject([{ id, owner: owner.name, owner_kind: 'app' }])
  })

  it('and the own ones need the scopes', async ({ environment }) => {
    const reader = await Party.app(environment, ['experiments:read'])
    expect((await reader.post()).status).toBe(403)
    expect((await reader.send('GET', '')).status).toBe(200)
    const writer = await Party.app(environment, ['experiments:write'])
    const { body } = await writer.post()
    expect((await writer.send('GET', `/${body.id}`)).status).toBe(403)
    expect((await writer.send('DELETE', `/${body.id}`)).status).toBe(200)
    const standard = await Party.user(environment, 'user')
    expect((await standard.post()).status).toBe(403)
    expect((await standard.send('GET', `/${uniqueName('any')}`)).status).toBe(403)
  })
})
