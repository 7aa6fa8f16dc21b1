import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import type { MqttClient } from 'mqtt'
import type { Attack } from './attack.ts'

const json = JSON.stringify

/** One agent, over MQTT and HTTP: it floods the queues and the rows that it may write. */
export async function attackAsAgent(attack: Attack): Promise<void> {
  const { apId } = attack.options.agent
  const identity = { username: apId, password: attack.options.agent.token }
  let client: MqttClient | undefined
  let connecting: Promise<MqttClient> | undefined
  /** Rejects when the client is disconnected. */
  let closed: Promise<never> | undefined
  const connected = async () => {
    if (client?.connected) return client
    connecting ??= attack.connectMqtt({ ...identity, clientId: apId }).finally(() => {
      connecting = undefined
    })
    const open = await connecting
    if (client !== open) {
      client = open
      closed = new Promise((_, reject) => open.once('close', () => reject(new Error('disconnected'))))
      closed.catch(() => {})
    }
    return open
  }
  const publish = async (topic: string, payload: string) => {
    const open = await connected()
    await Promise.race([
      open.publishAsync(topic, payload, { qos: 1 }),
      closed,
      sleep(15_000).then(() => Promise.reject(new Error('no acknowledgement'))),
    ])
    return 'acknowledged'
  }
  const update = (body: unknown) =>
    attack.send({
      method: 'POST',
      path: '/api/v1/agent_update/update',
      body: json(body),
      headers: { authorization: `Bearer ${attack.options.agent.token}` },
    })
  let n = 0
  await Promise.all([
    attack.repeat('fresh attributes', 2, () => publish(agentTopic(apId, 'data'), json(freshAttributes(n++)))),
    attack.repeat('many samples', 4, () => publish(agentTopic(apId, 'data'), manySamples)),
    attack.repeat('fresh metric names', 2, () =>
      publish(agentTopic(apId, 'data'), json({ [`name_${n++}`]: 1, [`other_${n}`]: 2 })),
    ),
    attack.repeat('small samples', 4, () => publish(agentTopic(apId, 'data'), '{"a":1}')),
    attack.repeat('invalid messages', 2, () => publish(agentTopic(apId, 'data'), '{"a":')),
    attack.repeat('alternating onboardings', 4, () =>
      publish(
        agentTopic(apId, 'onboard'),
        json({
          name: `n${n++ % 2}`,
          note: 'x'.repeat(30_000),
          geolocation: { latitude: n % 80, longitude: 1 },
        }),
      ),
    ),
    attack.repeat('results of unknown commands', 4, () =>
      publish(
        agentTopic(apId, 'result'),
        json({ id: randomUUID(), state: 'succeeded', result: 'x'.repeat(1000) }),
      ),
    ),
    attack.repeat('large onboardings', 1, () => publish(agentTopic(apId, 'onboard'), json({ note: large }))),
    attack.repeat('large results', 1, () =>
      publish(agentTopic(apId, 'result'), json({ id: randomUUID(), state: 'succeeded', result: large })),
    ),
    attack.repeat('statuses', 2, () =>
      publish(
        agentTopic(apId, 'status'),
        json({ status: n++ % 2 ? 'online' : 'offline', connected_at: new Date().toISOString() }),
      ),
    ),
    attack.repeat('reconnections', 2, async () => {
      const another = await attack.connectMqtt({ ...identity, clientId: randomUUID() })
      // The broker closes the connection.
      another.publish(agentTopic(attack.other(), 'data'), '{"stolen":1}', { qos: 1 })
      await Promise.race([
        new Promise<void>((resolve) => another.once('close', () => resolve())),
        sleep(5000),
      ])
      another.end(true)
      return 'closed'
    }),
    attack.repeat('updates over HTTP', 4, () => update(freshAttributes(n++))),
    attack.repeat('many samples over HTTP', 2, () => update(JSON.parse(manySamples))),
    attack.repeat('onboardings over HTTP', 2, () => update({ configuration: { name: `h${n++ % 2}` } })),
  ])
}

/** 16 KB of attributes that no earlier message had. */
const freshAttributes = (n: number) =>
  Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`key_${n}_${key}`, 'x'.repeat(250)]))

const large = 'x'.repeat(1_000_000)

const manySamples = json({ samples: Array.from({ length: 8000 }, () => ({ a: 1 })) })
