import { admin, tokenOf, uniqueName } from '@manc/harness'
import { test as base } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { change, changed, initial, Rollouts, soon } from './environment.ts'

const it = base.override('variables', { MANC_ROLLOUTS: '3' })

let rollouts: Rollouts
it.beforeAll(async ({ environment }) => {
  rollouts = new Rollouts(environment)
  // Of two replicas, each agent is changed by one.
  await environment.startServer()
})

async function newAdministrator() {
  const [username, password] = [`${uniqueName('admin')}@rollout.test`, 'a-password']
  const { environment } = rollouts
  await environment.request('POST', '/api/v1/users/', { username, password, roles: ['admin'] })
  return { username, token: await tokenOf(environment.url, 'user', username, password) }
}

it('a preview has the difference of each access point, and changes nothing', async ({ environment }) => {
  const [first = '', second = ''] = await rollouts.createAgents(2)
  await rollouts.configure(second, { power: { tx: 30 }, added: true })
  const agents = [first, second, first, 'unknown']
  const { body } = await environment.request('POST', '/api/v1/rollouts/preview', { agents, change })
  expect(body).toEqual({
    agents: 2,
    unchanged: 1,
    unknown: 1,
    differences: [{ ap_id: first, before: { power: { tx: 20 } }, after: { power: { tx: 30 }, added: true } }],
  })
  expect(await rollouts.configuration(first)).toEqual(initial)
})

it('access points are selected by the filters of the table', async ({ environment }) => {
  const ids = await rollouts.createAgents(3)
  await rollouts.setState(ids.slice(0, 1), 'offline')
  await rollouts.setState(ids.slice(1, 2), 'online', 'bad')
  const search = ids[0]?.slice(0, -5)
  const found = async (filter: object) =>
    (
      await environment.request('POST', '/api/v1/rollouts/preview', { search, ...filter, change })
    ).body.differences.map(({ ap_id }: { ap_id: string }) => ap_id)
  expect(await found({})).toEqual(ids)
  expect(await found({ state: ['offline'] })).toEqual([ids[0]])
  expect(await found({ health: ['bad', 'offline'] })).toEqual([ids[0], ids[1]])
  expect(await found({ technology: ['other'] })).toEqual(ids)
  const none = await environment.request('POST', '/api/v1/rollouts', { search, technology: ['5G'], change })
  expect(none.status).toBe(404)
})

it('one access point is changed first, then 10 %, then all, each once', async ({ environment }) => {
  const ids = await rollouts.createAgents(25)
  await rollouts.setState(ids.slice(0, 1), 'offline')
  // It has the values already.
  await rollouts.configure(ids[1] ?? '', changed)
  const id = await rollouts.start({ agents: ids, change, wait_s: 3600, title: 'More power' })
  for (const applied of [1, 3, 24]) {
    await expect
      .poll(() => rollouts.progress(id), soon)
      .toEqual({ applied, ...(applied < 24 ? { pending: 25 - applied } : { unchanged: 1 }) })
    await rollouts.observed(id)
    await rollouts.endWait(id)
  }
  await rollouts.becomes(id, 'completed')
  for (const apId of ids.slice(2, 5)) {
    expect(await rollouts.configuration(apId)).toEqual(changed)
    const versions = (await environment.request('GET', `/api/v1/agents/${apId}/configurations`)).body
    expect(versions).toMatchObject([{ version: 2, author: admin.username }, { version: 1 }])
  }
  expect(await rollouts.versions(ids)).toEqual({ 2: 25 })
  const agents = await rollouts.agents(id)
  // One that is offline, and one that has the values already, show nothing in the first stage.
  expect(agents.find(({ ap_id }) => ap_id === ids[1])).toMatchObject({ stage: 3, state: 'unchanged' })
  expect(agents.find(({ ap_id }) => ap_id === ids[0])).toMatchObject({ stage: 3, version: 2 })
  const page = await environment.request('GET', `/api/v1/rollouts/${id}/agents?state=applied&limit=20`)
  expect(page.body).toHaveLength(20)
  expect(page.headers.get('link')).toContain('state=applied')
}, 120_000)

it('an access point that goes offline after its change stops the rollout, which is undone', async () => {
  const ids = await rollouts.createAgents(3)
  const id = await rollouts.start({ agents: ids, change, wait_s: 3600 })
  await rollouts.observed(id)
  const first = (await rollouts.agents(id, '&state=applied'))[0]?.ap_id ?? ''
  await rollouts.setState([first], 'offline')
  await rollouts.endWait(id)
  await rollouts.becomes(id, 'stopped')
  expect((await rollouts.get(id)).detail).toBe('1 access point has failed.')
  expect(await rollouts.progress(id)).toEqual({ failed: 1, pending: 2 })
  expect((await rollouts.agents(id, '&state=failed'))[0]?.detail).toBe('It is offline since its change.')
  expect((await rollouts.act(id, 'undo')).status).toBe(200)
  await rollouts.becomes(id, 'undone')
  expect(await rollouts.progress(id)).toEqual({ undone: 1, pending: 2 })
  expect(await rollouts.configuration(first)).toEqual(initial)
  expect((await rollouts.act(id, 'undo')).status).toBe(409)
  expect((await rollouts.act(id, 'resume')).status).toBe(409)
}, 120_000)

it('bad health after the change is a failure, and bad health before it is none', async () => {
  const ids = await rollouts.createAgents(2)
  await rollouts.setState(ids.slice(1), 'online', 'bad')
  const id = await rollouts.start({ agents: ids, change, wait_s: 3600 })
  await rollouts.observed(id)
  await rollouts.endWait(id)
  await expect.poll(async () => (await rollouts.get(id)).stage, soon).toBe(3)
  await rollouts.observed(id)
  await rollouts.setState(ids, 'online', 'bad')
  await rollouts.endWait(id)
  await rollouts.becomes(id, 'stopped')
  expect(await rollouts.agents(id)).toMatchObject([
    { ap_id: ids[0], state: 'failed', detail: 'Its health is bad since its change.' },
    { ap_id: ids[1], state: 'applied' },
  ])
}, 120_000)

it('a rollout continues after failures that are allowed, or when it is resumed', async () => {
  // Agents whose configuration would become too large.
  const agents = await rollouts.createAgents(2, { text: 'y'.repeat(60_000) })
  const tooLarge = { agents, change: { note: 'x'.repeat(15_000) }, wait_s: 0 }
  const failing = await rollouts.start(tooLarge)
  await rollouts.becomes(failing, 'stopped')
  expect((await rollouts.agents(failing, '&state=failed'))[0]?.detail).toContain('64 KiB')
  expect((await rollouts.act(failing, 'resume')).status).toBe(200)
  await expect.poll(async () => rollouts.progress(failing), soon).toEqual({ failed: 2 })
  const allowed = await rollouts.start({ ...tooLarge, max_failures: 2 })
  await rollouts.becomes(allowed, 'completed')
}, 120_000)

it('undoing skips access points whose configuration was changed again, or that were removed', async ({
  environment,
}) => {
  const ids = await rollouts.createAgents(3)
  const [again = '', removed = '', untouched = ''] = ids
  const id = await rollouts.start({ agents: ids, change, wait_s: 0 })
  await rollouts.becomes(id, 'completed')
  await rollouts.configure(again, { power: { tx: 25 } })
  await environment.request('DELETE', `/api/v1/agents/${removed}`)
  // Another access point with the same id, whose second version is not that of the rollout.
  const agent = { ap_id: removed, password: 'a-password', configuration: { new: 1 } }
  await environment.request('POST', '/api/v1/agents/', agent)
  await rollouts.configure(removed, { new: 2 })
  await rollouts.act(id, 'undo')
  await rollouts.becomes(id, 'undone')
  expect(await rollouts.agents(id)).toMatchObject([
    { state: 'skipped', detail: 'Its configuration was changed again: version 3 is the newest.' },
    { state: 'skipped', detail: 'The access point was removed.' },
    { state: 'undone', detail: null },
  ])
  expect(await rollouts.configuration(again)).toEqual({ power: { tx: 25 } })
  expect(await rollouts.configuration(removed)).toEqual({ new: 2 })
  expect(await rollouts.configuration(untouched)).toEqual(initial)
}, 120_000)

it('a rollout is paused, and resumed and undone in the name of another administrator', async ({
  environment,
}) => {
  const ids = await rollouts.createAgents(3)
  const id = await rollouts.start({ agents: ids, change, wait_s: 3600 })
  expect((await rollouts.act(id, 'pause')).status).toBe(200)
  expect(await rollouts.get(id)).toMatchObject({ state: 'paused', detail: `Paused by ${admin.username}.` })
  expect((await rollouts.act(id, 'pause')).status).toBe(409)
  const other = await newAdministrator()
  expect((await rollouts.act(id, 'resume', other.token)).status).toBe(200)
  await rollouts.observed(id)
  await rollouts.endWait(id)
  await expect.poll(async () => rollouts.progress(id), soon).toEqual({ applied: 3 })
  await rollouts.act(id, 'undo', other.token)
  await rollouts.becomes(id, 'undone')
  expect(await rollouts.get(id)).toMatchObject({ owner: other.username, created_by: admin.username })
  for (const apId of ids) expect(await rollouts.configuration(apId)).toEqual(initial)
  const versions = (await environment.request('GET', `/api/v1/agents/${ids[2]}/configurations`)).body
  expect(versions[0]).toMatchObject({ version: 3, author: other.username })
}, 120_000)

it('the rollout of a user who is no longer an administrator stops, and another one resumes it', async ({
  environment,
}) => {
  const { username, token } = await newAdministrator()
  const agents = await rollouts.createAgents(2)
  const id = await rollouts.start({ agents, change, wait_s: 3600 }, token)
  await rollouts.observed(id)
  const demoted = await environment.request('PUT', `/api/v1/users/${username}`, { roles: ['user'] })
  expect(demoted.status).toBe(200)
  await rollouts.endWait(id)
  await rollouts.becomes(id, 'stopped')
  expect((await rollouts.get(id)).detail).toContain(`${username} is no longer an administrator.`)
  await rollouts.act(id, 'resume')
  await rollouts.observed(id)
  await rollouts.endWait(id)
  await expect.poll(async () => rollouts.progress(id), soon).toEqual({ applied: 2 })
}, 120_000)

it('each user has some rollouts in progress, also with requests at the same time', async ({
  environment,
}) => {
  const agents = await rollouts.createAgents(1)
  const { token } = await newAdministrator()
  const body = { agents, change, wait_s: 3600 }
  const create = () => environment.request('POST', '/api/v1/rollouts', body, token)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(create))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(answers.find(({ status }) => status === 409)?.body.detail).toContain('3 rollouts in progress')
  // Another user has rollouts of their own.
  await rollouts.act(await rollouts.start(body), 'pause')
  const running = answers.find(({ status }) => status === 200)
  await rollouts.act(running?.body.id, 'pause')
  expect((await create()).status).toBe(200)
}, 120_000)
