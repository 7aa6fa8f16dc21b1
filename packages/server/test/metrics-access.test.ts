import { setTimeout as sleep } from 'node:timers/promises'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MetricsScene } from './metrics-scene.ts'

let scene: MetricsScene

beforeAll(async () => {
  scene = await MetricsScene.open()
})
afterAll(() => scene?.close())

describe('an agent', () => {
  it('that was never there is not found', async () => {
    for (const path of ['agent_data', 'agent_multi_metric_data', 'agent_metrics']) {
      const { status, body } = await scene.get(`${path}?agent=${uniqueName('never')}&metrics=clients`)
      expect([status, body]).toEqual([404, { detail: 'Agent not found' }])
    }
  })

  it('that has sent nothing has nothing to show', async () => {
    const agent = uniqueName('quiet')
    await scene.agent(agent)
    expect((await scene.all(agent)).series).toEqual([])
    expect((await scene.names(agent)).metrics).toEqual([])
    expect((await scene.chosen(agent, ['clients'])).series).toEqual([{ metric: 'clients', points: [] }])
  })

  it('that is gone leaves its history, also outside the window', async () => {
    const agent = uniqueName('gone')
    await scene.store.write(agent, [{ at: Date.now() - 7_200_000, metrics: { clients: 1 } }])
    const app = await scene.app(uniqueName('history'), {})
    for (const token of [scene.adminToken, app]) {
      expect((await scene.chosen(agent, ['clients'], '5', token)).series[0]?.points).toEqual([])
      expect((await scene.chosen(agent, ['clients'], '3h', token)).series[0]?.points).toHaveLength(1)
    }
  })

  it('does not see what another of its name has sent, nor does an app; a user does', async () => {
    const agent = uniqueName('reused')
    await scene.agent(agent)
    await scene.store.write(agent, [{ at: Date.now(), metrics: { clients: 1, only_old: 1 } }])
    await call(scene.url, 'DELETE', `/api/v1/agents/${agent}`, { token: scene.adminToken })
    await sleep(20)
    const itself = await scene.agent(agent)
    await sleep(20)
    await scene.store.write(agent, [{ at: Date.now(), metrics: { clients: 2 } }])
    const app = await scene.app(uniqueName('reused'), {})
    const seen = async (token: string) => ({
      chosen: (await scene.chosen(agent, ['clients'], '5', token)).series[0]?.points.map(
        ({ value }) => value,
      ),
      all: (await scene.all(agent, '5', token)).series.map(({ metric }) => metric),
      names: (await scene.names(agent, '5', token)).metrics.length,
    })
    const newOnly = { chosen: [2], all: ['clients'], names: 1 }
    expect(await seen(itself)).toEqual(newOnly)
    expect(await seen(app)).toEqual(newOnly)
    expect(await seen(scene.adminToken)).toEqual({ chosen: [1, 2], all: ['clients', 'only_old'], names: 2 })
    expect(await seen(itself)).toEqual(newOnly)
  })
})

describe('metrics are read', () => {
  it('by users, by the agent itself, and by apps that see the agent; the last of a repeated agent counts', async () => {
    const [agent, other] = [uniqueName('own'), uniqueName('others')]
    const username = `${uniqueName('user')}@metrics.test`
    const itself = await scene.agent(agent)
    await scene.agent(other)
    await call(scene.url, 'POST', '/api/v1/users/signup', {
      body: { username, password: 'some-password' },
    })
    const callers = {
      user: await tokenOf(scene.url, 'user', username, 'some-password'),
      itself,
      app: await scene.app(uniqueName('seeing'), { agents: [`${agent}*`] }),
      blind: await scene.app(uniqueName('blind'), { 'metrics:read': false }),
      anonymous: null,
    }
    const statuses = async (query: string) => {
      const found: Record<string, number[]> = {}
      for (const [name, token] of Object.entries(callers))
        found[name] = await Promise.all(
          ['agent_data', 'agent_multi_metric_data', 'agent_metrics'].map(
            async (path) => (await scene.get(`${path}?metrics=clients${query}`, token)).status,
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
