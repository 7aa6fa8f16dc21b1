import { describe, expect, it } from 'vitest'
import { BrokerService } from './broker.service.ts'

const broker = new BrokerService({
  verifyAgent: async (_apId, secret) => secret === 'right',
  isSuspended: async (apId) => apId === 'suspended',
  vhost: '/',
  ownName: 'manc',
})
const topic = {
  username: 'ap-1',
  vhost: '/',
  resource: 'topic',
  name: 'amq.topic',
  permission: 'write',
  routingKey: 'agent.ap-1.data',
}
const queue = { ...topic, resource: 'queue', name: 'mqtt-subscription-ap-1qos1', routingKey: '' }

describe('an agent at the broker', () => {
  it('logs in under its own id, with a client id of the same name', async () => {
    const login = { username: 'ap-1', clientId: 'ap-1', password: 'right' }
    expect(await broker.mayLogIn(login)).toBe(true)
    for (const wrong of [
      { clientId: '' },
      { clientId: 'ap-2' },
      { username: '', clientId: '' },
      { username: 'ap.1', clientId: 'ap.1' },
      { username: 'ap-1\n', clientId: 'ap-1\n' },
      { username: 'manc', clientId: 'manc' },
      { username: 'suspended', clientId: 'suspended' },
      { password: '' },
      { password: 'wrong' },
    ])
      expect([wrong, await broker.mayLogIn({ ...login, ...wrong })]).toEqual([wrong, false])
  })

  it('enters one virtual host', () => {
    expect(broker.mayEnter({ username: 'ap-1', vhost: '/' })).toBe(true)
    expect(broker.mayEnter({ username: 'ap-1', vhost: 'other' })).toBe(false)
    expect(broker.mayEnter({ username: 'ap-1', vhost: '' })).toBe(false)
  })

  it('uses the shared exchange and its own two queues', () => {
    for (const permission of ['configure', 'write', 'read'])
      for (const name of ['mqtt-subscription-ap-1qos0', 'mqtt-subscription-ap-1qos1'])
        expect(broker.mayUse({ ...queue, name, permission })).toBe(true)
    for (const wrong of [
      { name: 'mqtt-subscription-ap-2qos1' },
      { name: 'mqtt-subscription-ap-1qos2' },
      { name: 'manc.telemetry.0' },
      { permission: 'delete' },
      { resource: 'exchange' },
      { vhost: 'other' },
    ])
      expect([wrong, broker.mayUse({ ...queue, ...wrong })]).toEqual([wrong, false])
    const exchange = { ...queue, resource: 'exchange', name: 'amq.topic' }
    expect(broker.mayUse({ ...exchange, permission: 'write' })).toBe(true)
    expect(broker.mayUse({ ...exchange, permission: 'read' })).toBe(true)
    expect(broker.mayUse({ ...exchange, permission: 'configure' })).toBe(false)
    expect(broker.mayUse({ ...exchange, name: 'amq.default', permission: 'write' })).toBe(false)
    expect(broker.mayUse({ ...exchange, name: 'manc.telemetry', permission: 'write' })).toBe(false)
  })

  it('writes four topics of its own and reads one, and no wildcard', () => {
    for (const last of ['clients', 'data', 'onboard', 'result', 'status']) {
      expect(broker.mayPass({ ...topic, routingKey: `agent.ap-1.${last}` })).toBe(true)
      expect(broker.mayPass({ ...topic, routingKey: `agent.ap-1.${last}`, permission: 'read' })).toBe(false)
    }
    expect(broker.mayPass({ ...topic, routingKey: 'agent.ap-1.command', permission: 'read' })).toBe(true)
    expect(broker.mayPass({ ...topic, routingKey: 'agent.ap-1.command' })).toBe(false)
    for (const routingKey of ['#', '*', 'agent.*.command', 'agent.ap-1.#', 'agent.ap-2.command', ''])
      for (const permission of ['read', 'write', 'configure'])
        expect([routingKey, broker.mayPass({ ...topic, routingKey, permission })]).toEqual([
          routingKey,
          false,
        ])
    expect(broker.mayPass({ ...topic, name: 'manc.telemetry' })).toBe(false)
    expect(broker.mayPass({ ...topic, vhost: 'other' })).toBe(false)
    const mac = 'AA:BB:CC:00:11:22'
    expect(broker.mayPass({ ...topic, username: mac, routingKey: `agent.${mac}.data` })).toBe(true)
  })
})
