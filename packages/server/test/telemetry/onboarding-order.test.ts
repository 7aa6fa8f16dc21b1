import { uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { startAgentPublisher } from '../abuse/agent-publisher.ts'

it('with three subscribers the newest configuration of each agent is the one that stays', async ({
  environment,
}) => {
  for (let n = 0; n < 2; n++)
    await environment.startServer({ MANC_ROLES: 'subscriber', MANC_API_URL: environment.url })
  const apIds = Array.from({ length: 20 }, () => uniqueName('order'))
  const last = uniqueName('last')
  for (const apId of [...apIds, last])
    await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const publisher = await startAgentPublisher(environment.rabbitmqUrl)
  try {
    for (const name of ['first', 'second', 'third', 'newest'])
      for (const apId of apIds) publisher.publish(apId, 'onboard', JSON.stringify({ name }))
    publisher.publish(last, 'onboard', '{"name":"newest"}')
    await publisher.confirmed()
    // The queue is empty when its last message has been handled, and all messages were acknowledged.
    await expect.poll(() => namesOf([last]), { timeout: 60_000, interval: 100 }).toEqual(['newest'])
    await expect.poll(() => namesOf(apIds), { timeout: 60_000, interval: 100 }).not.toContain(null)
    expect(await namesOf(apIds)).toEqual(apIds.map(() => 'newest'))
  } finally {
    await publisher.close()
  }

  async function namesOf(ids: string[]): Promise<(string | null)[]> {
    const rows = await environment.sql(
      `select configuration->>'name' as name from agents where ap_id = any($1)`,
      [ids],
    )
    return rows.map(({ name }) => name)
  }
}, 120_000)
