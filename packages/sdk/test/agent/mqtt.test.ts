import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  type IsolatedEnvironment,
  type Replica,
  startReplica,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { AgentHttp, AgentMqtt, AgentRefused, sampleOf, TooLarge } from '@manc/sdk/agent'
import { afterAll, describe, expect } from 'vitest'

const it = testWithEngines.override('withServer', false)

let environment: IsolatedEnvironment
let server: Replica
let token: string

it.beforeAll(async ({ environment: own }) => {
  environment = own
  server = await startReplica(variables())
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
})

afterAll(async () => {
  await server?.stop()
})

const variables = () => ({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })

/** Of an agent that is registered for this alone. */
async function credentials() {
  const apId = uniqueName('sdk')
  const body = { ap_id: apId, password: 'sdk-password', configuration: {} }
  await call(server.url, 'POST', '/api/v1/agents/', { token, body })
  return { url: server.url, apId, password: 'sdk-password' }
}

const valuesOf = async (apId: string, metric: string): Promise<number[]> => {
  const path = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=${metric}`
  const { body } = await call(server.url, 'GET', path, { token })
  return body.series?.[0]?.points.map(({ value }: { value: number }) => value) ?? []
}

describe('an agent on the SDK', () => {
  it('logs in, onboards and sends over HTTP', async () => {
    const own = await credentials()
    const agent = new AgentHttp(own)
    expect((await agent.onboard({ technology: 'LiFi' })).status).toBe('success')
    expect((await agent.send([sampleOf({ lux: 1 }, Date.now() - 2000), sampleOf({ lux: 2 })])).accepted).toBe(
      2,
    )
    await expect.poll(() => valuesOf(own.apId, 'lux'), { timeout: 60_000 }).toEqual([1, 2])
  })

  it('gets an error that names the problem', async () => {
    const stranger = new AgentHttp({ ...(await credentials()), password: 'wrong' })
    await expect(stranger.token()).rejects.toBeInstanceOf(AgentRefused)
  })

  it('sends over MQTT and reconnects after an outage of the broker', async () => {
    const own = await credentials()
    const agent = new AgentMqtt({ ...own, mqttUrl: environment.engines.mqtt })
    await agent.start()
    await agent.send(sampleOf({ seq: 1 }))
    await expect(agent.send([sampleOf({ text: 'x'.repeat(2 ** 20) })])).rejects.toBeInstanceOf(TooLarge)
    await environment.set.kill('rabbitmq')
    await Promise.all([agent.send(sampleOf({ seq: 2 })), environment.set.start('rabbitmq')])
    await agent.send(sampleOf({ seq: 3 }))
    await expect.poll(() => valuesOf(own.apId, 'seq'), { timeout: 60_000 }).toEqual([1, 2, 3])
    await agent.stop()
  }, 240_000)

  it.each([false, true])(
    'reconnects after the broker rejected it because the controller was down (password: %s)',
    async (passwordOnly) => {
      const own = await credentials()
      const agent = new AgentMqtt({ ...own, mqttUrl: environment.engines.mqtt, passwordOnly })
      await agent.start()
      await server.stop()
      try {
        await environment.set.kill('rabbitmq')
        await environment.set.start('rabbitmq')
        // Long enough for several refusals.
        await sleep(5000)
        expect(agent.connected).toBe(false)
      } finally {
        server = await startReplica(variables())
      }
      await agent.send(sampleOf({ returned: 1 }))
      await agent.stop()
    },
    240_000,
  )
})
