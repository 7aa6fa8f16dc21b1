import { type TestEnvironment, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import pg from 'pg'
import { expect } from 'vitest'
import { startAgentPublisher } from './agent-publisher.ts'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function newAgent(prefix: string): Promise<string> {
  const name = uniqueName(prefix)
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  return name
}

it('a status message that always times out does not keep other agents from onboarding', async () => {
  const [attacker, other] = [await newAgent('poison'), await newAgent('after')]
  const publisher = await startAgentPublisher(environment.rabbitmqUrl)
  const locker = new pg.Client({ connectionString: environment.databaseUrl })
  await locker.connect()
  try {
    // A write to this row takes longer than a query may, for as long as the lock is held.
    await locker.query(
      `insert into agent_attributes (ap_id, attributes, said_at) values ($1, '{}', now()) on conflict do nothing`,
      [attacker],
    )
    await locker.query('begin')
    await locker.query('select from agent_attributes where ap_id = $1 for update', [attacker])
    publisher.publish(attacker, 'status', 'online')
    publisher.publish(other, 'onboard', '{"name":"after it"}')
    await publisher.confirmed()
    const stored = async () =>
      (await environment.sql('select configuration from agents where ap_id = $1', [other]))[0].configuration
    await expect.poll(stored, { timeout: 45_000, interval: 100 }).toBe('{"name":"after it"}')
  } finally {
    await locker.end()
    await publisher.close()
  }
})
