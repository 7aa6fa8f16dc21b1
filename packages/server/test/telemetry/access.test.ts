import { setTimeout as sleep } from 'node:timers/promises'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from './environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('an agent', () => {
  it('that never existed is 404', async () => {
    for (const path of ['agent_data', 'agent_multi_metric_data', 'agent_metrics']) {
      const { status, body } = await environment.get(`${path}?agent=${uniqueName('never')}&metrics=clients`)
      expect([status, body]).toEqual([404, { detail: 'Agent not found' }])
    }
  })

  it('without samples has empty results', async () => {
    const agent = uniqueName('quiet')
    await environment.createAgent(agent)
    expect((await environment.allMetrics(agent)).series).toEqual([])
    expect((await environment.metricNames(agent)).metrics).toEqual([])
    expect((await environment.chosenMetrics(agent, ['clients'])).series).toEqual([
      { metric: 'clients', points: [] },
    ])
  })

  it('that was deleted leaves its history, also outside of the window', async () => {
    const agent = uniqueName('gone')
    await environment.store.write(agent, [{ at: Date.now() - 40 * 3_600_000, metrics: { clients: 1 } }])
    const app = await environment.createApp(uniqueName('history'), {})
    for (const token of [environment.adminToken, app]) {
      expect((await environment.chosenMetrics(agent, ['clients'], '5', token)).series[0]?.points).toEqual([])
      expect(
        (await environment.chosenMetrics(agent, ['clients'], '48h', token)).series[0]?.points,
      ).toHaveLength(1)
    }
  })

  it('does not see samples of a deleted agent with its id, nor does an app; a user does', async () => {
    const agent = uniqueName('reused')
    await environment.createAgent(agent)
    await environment.store.write(agent, [{ at: Date.now(), metrics: { clients: 1, only_old: 1 } }])
    await call(environment.url, 'DELETE', `/api/v1/agents/${agent}`, { token: environment.adminToken })
    await sleep(20)
    const itself = await environment.createAgent(agent)
    await sleep(20)
    await environment.store.write(agent, [{ at: Date.now(), metrics: { clients: 2 } }])
    const app = await environment.createApp(uniqueName('reused'), {})
    const seen = async (token: string) => ({
      chosen: (await environment.chosenMetrics(agent, ['clients'], '5', token)).series[0]?.points.map(
        ({ value }) => value,
      ),
      all: (await environment.allMetrics(agent, '5', token)).series.map(({ metric }) => metric),
      names: (await environment.metricNames(agent, '5', token)).metrics.length,
    })
    const newOnly = { chosen: [2], all: ['clients'], names: 1 }
    expect(await seen(itself)).toEqual(newOnly)
    expect(await seen(app)).toEqual(newOnly)
    expect(await seen(environment.adminToken)).toEqual({
      chosen: [1, 2],
      all: ['clients', 'only_old'],
      names: 2,
    })
    expect(await seen(itself)).toEqual(newOnly)
  })
})

describe('metrics are readable', () => {
  it('by users, by the agent itself, and by apps that see the agent; the last of a repeated agent counts', async () => {
    const [agent, other] = [uniqueName('own'), uniqueName('others')]
    const username = `${uniqueName('user')}@metrics.test`
    const itself = await environment.createAgent(agent)
    await environment.createAgent(other)
    await call(environment.url, 'POST', '/api/v1/users/signup', {
      body: { username, password: 'some-password' },
    })
    const callers = {
      user: await tokenOf(environment.url, 'user', username, 'some-password'),
      itself,
      app: await environment.createApp(uniqueName('seeing'), { agents: [`${agent}*`] }),
      blind: await environment.createApp(uniqueName('blind'), { 'metrics:read': false }),
      anonymous: null,
    }
    const statuses = async (query: string) => {
      const found: Record<string, number[]> = {}
      for (const [name, token] of Object.entries(callers))
        found[name] = await Promise.all(
          ['agent_data', 'agent_multi_metric_data', 'agent_metrics'].map(
            async (path) => (await environment.get(`${path}?metrics=clients${query}`, token)).status,
          ),
        )
      return found
    }
    const all = (status: number) => [status, status, status]
    const [own, others] = [`&agent=${agent}`, `&agent=${other}`]
    const refused = { blind: all(403), anonymous: all(401) }
    const allowed = { user: all(200), itself: all(200), app: all(200), ...refused }
    const ofOthers = { user: all(200), itself: all(403), app: all(403), ...refused }
    expect(await statuses(own)).toEqual(allowed)
    expect(await statuses(others)).toEqual(ofOthers)
    expect(await statuses(own + others)).toEqual(ofOthers)
    expect(await statuses(others + own)).toEqual(allowed)
    expect(await statuses(`${others}&agent_id=${agent}`)).toEqual(ofOthers)
    expect(await statuses('')).toEqual({ ...ofOthers, user: all(422), app: all(422) })
  })
})
