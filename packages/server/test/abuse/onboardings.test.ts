import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { type AgentPublisher, startAgentPublisher } from './agent-publisher.ts'

let environment: TestEnvironment
let publisher: AgentPublisher
const flood = 2000

it.beforeAll(async ({ environment: own }) => {
  environment = own
  publisher = await startAgentPublisher(own.rabbitmqUrl)
})

afterAll(() => publisher?.close())

async function newAgent(prefix: string): Promise<string> {
  const name = uniqueName(prefix)
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  return name
}

async function configurationOf(name: string): Promise<string> {
  const [row] = await environment.sql('select configuration from agents where ap_id = $1', [name])
  return row.configuration
}

async function auditedUpdates(name: string): Promise<number> {
  const [row] = await environment.sql(
    `select count(*)::int as entries from audit where action = 'agent.update' and target = $1`,
    [name],
  )
  return row.entries
}

it('an agent that alternates its configuration fills neither the queue nor the audit log', async () => {
  const [attacker, other] = [await newAgent('alternating'), await newAgent('after')]
  for (let n = 0; n < flood; n++) publisher.publish(attacker, 'onboard', `{"name":"${n % 2}"}`)
  publisher.publish(other, 'onboard', '{"name":"after it"}')
  await publisher.confirmed()
  await expect
    .poll(() => configurationOf(other), { timeout: 60_000, interval: 50 })
    .toBe('{"name":"after it"}')
  expect(await auditedUpdates(attacker)).toBeLessThanOrEqual(10)
})

it('the result of a command does not wait behind onboardings', async () => {
  const agents = [await newAgent('busy'), await newAgent('busy')]
  const name = await newAgent('commanded')
  const token = await tokenOf(environment.url, 'agent', name, 'p')
  const { body } = await environment.request('POST', `/api/v1/send_command?agent_id=${name}&command=go`)
  const take = async () =>
    (await environment.request('POST', '/api/v1/agent_update/update', {}, token)).body.commands[0]?.id
  let id: string | undefined
  await expect.poll(async () => (id = await take()), { timeout: 40_000, interval: 100 }).toBeDefined()
  for (let n = 0; n < flood; n++)
    for (const agent of agents) publisher.publish(agent, 'onboard', '{"name":"always the same"}')
  publisher.publish(name, 'result', JSON.stringify({ id, state: 'succeeded' }))
  await publisher.confirmed()
  const startedAt = Date.now()
  const state = async () =>
    (await environment.request('GET', `/api/v1/jobs/${body.job_number}`)).body.state as string
  await expect.poll(state, { timeout: 60_000, interval: 50 }).toBe('succeeded')
  // Behind the onboardings it took 55 s.
  expect(Date.now() - startedAt).toBeLessThan(20_000)
})
