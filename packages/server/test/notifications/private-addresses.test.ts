import type { NotificationDelivery } from '@manc/contract'
import type { TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import { Hook } from './hook.ts'
import { clientOf, patience } from './setup.ts'

let environment: TestEnvironment
const hook = await new Hook().open()

it.beforeAll(({ environment: own }) => {
  environment = own
})
afterAll(() => hook.close())

describe('without MANC_WEBHOOK_PRIVATE', () => {
  it('a webhook at a name of this machine gets nothing, and the message is given up', async () => {
    const client = clientOf(environment)
    const { id } = await client.receiver(`http://localhost:${hook.port}/hook`)
    await client.send('POST', `notification_receivers/${id}/test`)
    const first = async (): Promise<NotificationDelivery | undefined> => (await client.deliveries(id))[0]
    await expect.poll(first, patience).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('MANC_WEBHOOK_PRIVATE=true'),
    })
    expect(hook.received).toEqual([])
  })

  it('a webhook at an address that was stored before gets nothing either', async () => {
    const client = clientOf(environment)
    const { id } = await client.receiver('https://hooks.example.test/')
    await environment.sql('update notification_receivers set url = $2 where id = $1', [id, hook.url])
    await client.send('POST', `notification_receivers/${id}/test`)
    const status = async () => (await client.deliveries(id))[0]?.status
    await expect.poll(status, patience).toBe('failed')
    expect(hook.received).toEqual([])
  })

  it('tests of a receiver are limited', async () => {
    const client = clientOf(environment)
    const { id } = await client.receiver('https://hooks.example.test/')
    const test = () => environment.request('POST', `/api/v1/notification_receivers/${id}/test`)
    for (let sent = 0; sent < 30; sent++) expect((await test()).status).toBe(200)
    const refused = await test()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  })
})
