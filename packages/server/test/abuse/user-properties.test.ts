import { rabbitmqMajor } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { expect, inject } from 'vitest'
import { AttackEnvironment } from '../mqtt/environment.ts'

const it = environmentTest(() => AttackEnvironment.open(['sender', 'victim']))

/** Brokers of earlier versions have no MQTT 5. */
const hasMqtt5 = (await rabbitmqMajor(inject('engines'))) >= 4

it.skipIf(hasMqtt5)('an older broker refuses connections with MQTT 5', async ({ environment }) => {
  const connecting = environment.connect('sender', undefined, { protocolVersion: 5 })
  await expect(connecting).rejects.toThrow('closed before it was connected')
})

it.runIf(hasMqtt5)(
  'user properties of MQTT 5 change neither the sender, the presence nor the queue of a sample',
  async ({ environment }) => {
    const device = await environment.connect('sender', undefined, { protocolVersion: 5 })
    // The broker makes them headers of AMQP. `CC` and `BCC` are routing keys there.
    const userProperties = {
      sent_by: 'user',
      user_id: 'manc',
      ap_id: 'victim',
      CC: 'agent.victim.data',
      BCC: 'agent.victim.data',
      'x-death': 'agent.victim.data',
      'x-delivery-count': '100',
    }
    for (let seq = 0; seq < 3; seq++)
      await device.client.publishAsync('agent/sender/data', JSON.stringify({ seq }), {
        qos: 1,
        properties: { userProperties },
      })
    const stateOf = async (apId: string) =>
      (await environment.sql('select state from fleet where ap_id = $1', [apId]))[0]?.state
    await expect.poll(() => environment.seriesOf('sender'), { timeout: 40_000 }).toEqual(['seq'])
    await expect.poll(() => stateOf('sender'), { timeout: 40_000 }).toBe('online')
    expect(await environment.seriesOf('victim')).toEqual([])
    expect(await stateOf('victim')).not.toBe('online')
    expect(environment.deadLetters).toEqual([])
    await device.leave()
  },
  120_000,
)
