import { startServerProcess, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import { alertOf, postAlerts } from '../alarms/agents.ts'
import { Hook } from './hook.ts'
import { clientOf, onlineAgents, patience, untilIdle } from './setup.ts'

const it = test.override('variables', { MANC_WEBHOOK_PRIVATE: 'true', MANC_ROLES: 'api' })

let environment: TestEnvironment
let client: ReturnType<typeof clientOf>
const hooks: Hook[] = []

it.beforeAll(({ environment: own }) => {
  environment = own
  client = clientOf(environment)
})
afterAll(() => {
  for (const hook of hooks) hook.close()
})

const subscriber = () =>
  startServerProcess({
    ...environment.variables,
    MANC_ROLES: 'subscriber',
    MANC_API_URL: environment.url,
  })

async function raised(agents: number, more: object = {}) {
  const hook = await new Hook().open()
  hooks.push(hook)
  const [rule, receiver] = [await client.rule(), await client.receiver(hook.url)]
  await client.route(receiver.id, { rule_ids: [rule.id], ...more })
  const ids = await onlineAgents(environment, agents)
  await postAlerts(
    environment,
    ids.map((apId) => alertOf(apId, rule)),
  )
  return { hook, rule, receiver, ids }
}

describe('subscribers', () => {
  it('of which one is killed while it sends deliver each message, with the same id', async () => {
    const { hook, receiver, ids } = await raised(3)
    hook.answer = () => {}
    const first = await subscriber()
    await expect.poll(() => hook.received.length, patience).toBe(1)
    await first.stop('SIGKILL')
    hook.answer = (response) => void response.end()
    const second = await subscriber()
    await expect.poll(() => hook.received.length, patience).toBe(2)
    await expect
      .poll(async () => (await client.deliveries(receiver.id)).map(({ status }) => status), patience)
      .toEqual(['sent'])
    await second.stop()
    const sent = hook.received.map(({ headers }) => headers['x-manc-delivery'])
    expect(sent[1]).toBe(sent[0])
    expect(hook.agents('firing')[1]?.toSorted()).toEqual(ids.toSorted())
  })

  it('that run at the same time send no alarm twice', async () => {
    const running = await Promise.all([subscriber(), subscriber()])
    const all = await Promise.all([1, 2, 3, 4].map(() => raised(50, { group_by: 'none' })))
    await untilIdle(environment)
    for (const { hook, ids, receiver } of all) {
      const deliveries = await client.deliveries(receiver.id)
      expect(deliveries.reduce((sum, { raised: alarms }) => sum + alarms, 0)).toBe(ids.length)
      // A message may be sent twice, with the same id.
      const messages = new Map(hook.received.map((each) => [each.headers['x-manc-delivery'], each]))
      const reported = [...messages.values()].flatMap(({ body }) =>
        body.alerts.map(({ labels }) => labels['ap_id'] ?? ''),
      )
      expect(reported.toSorted()).toEqual(ids.toSorted())
    }
    for (const each of running) await each.stop()
  })
})
