import { agentTopic } from '@manc/contract'
import { uniqueName } from '@manc/harness'
import { connectAsync, type MqttClient } from 'mqtt'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { expectAccessible, useConsole, variants } from './environment.ts'

const env = useConsole()

/** An access point that is connected to the broker. */
async function newAccessPoint(): Promise<{ apId: string; device: MqttClient }> {
  const apId = uniqueName('rejected')
  await env.manc.agents.register({
    ap_id: apId,
    password: 'a-password',
    configuration: { technology: 'WiFi' },
  })
  const device = await connectAsync(inject('engines').mqtt, {
    protocolVersion: 4,
    clientId: apId,
    username: apId,
    password: 'a-password',
    reconnectPeriod: 0,
  })
  // The broker disconnects an access point that it suspends.
  device.on('error', () => {})
  return { apId, device }
}

const openTab = (page: Page) => page.getByRole('tab', { name: 'Rejected data' }).click()

it.each(variants)(
  'the page shows what was rejected, why, and what to do, in %s',
  async (scheme, viewport) => {
    const { apId, device } = await newAccessPoint()
    const page = await env.signedIn(`/access-points/${apId}`, { scheme, viewport })
    await openTab(page)
    await page.getByText('Nothing was rejected').waitFor()
    await expectAccessible(page)

    const ahead = new Date(Date.now() + 7_200_000).toISOString()
    const samples = [1, 2, 3].map((clients) => ({ ts: ahead, payload: { clients } }))
    await device.publishAsync(agentTopic(apId, 'data'), JSON.stringify(samples), { qos: 1 })
    await device.publishAsync(agentTopic(apId, 'data'), 'no JSON', { qos: 1 })
    const row = page.getByRole('row').filter({ hasText: 'Timestamp more than an hour ahead' })
    await row.getByText('Synchronise the clock of the access point').waitFor()
    await row.getByRole('cell', { name: '3', exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Send a JSON object' }).waitFor()
    await expectAccessible(page)
    await device.endAsync()
    await env.manc.agents.remove(apId)
  },
)

it.each(variants)(
  'the page shows until when an access point is suspended, in %s',
  async (scheme, viewport) => {
    const { apId, device } = await newAccessPoint()
    const topic = agentTopic(apId, 'onboard')
    const configuration = async () => JSON.stringify((await env.manc.agents.get(apId)).configuration)
    // Of several that arrive at once only the newest counts.
    for (let n = 0; device.connected; n++) {
      device.publish(topic, JSON.stringify({ technology: 'WiFi', revision: n }), { qos: 1 })
      const isHandled = async () => !device.connected || (await configuration()).includes(`"revision":${n}`)
      await expect.poll(isHandled, { interval: 50 }).toBe(true)
    }
    const page = await env.signedIn(`/access-points/${apId}`, { scheme, viewport })
    await openTab(page)
    await page.getByText(/^(Suspended for another|Last suspended) /).waitFor()
    await page.getByText('Send the configuration only after it has changed.').waitFor()
    await expectAccessible(page)
    // The first suspension is 10 s.
    await page.getByText(/^Last suspended .+ ago$/).waitFor({ timeout: 60_000 })
    expect(await page.getByText('Suspended for another').count()).toBe(0)
    await env.manc.agents.remove(apId)
  },
)

it('the page reports that the rejections cannot be read, and reads them again', async () => {
  const { apId, device } = await newAccessPoint()
  await device.endAsync()
  const page = await env.signedIn(`/access-points/${apId}`)
  await page.route('**/rejections', (route) => route.fulfill({ status: 500, json: { detail: 'Broken.' } }))
  await page.reload()
  await openTab(page)
  await page.getByText('Request failed').waitFor()
  await page.unroute('**/rejections')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing was rejected').waitFor()
  await env.manc.agents.remove(apId)
})
