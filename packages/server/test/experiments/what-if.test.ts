import { randomUUID } from 'node:crypto'
import { agentRoutingKey, exchanges, experimentQueue } from '@manc/contract'
import { parseExperimentRun } from '@manc/contract/experiment-messages'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { describe, expect } from 'vitest'
import { Party, soon } from './parties.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
  MANC_EXPERIMENTS: '100',
})

/** An access point that sends a sample. */
async function accessPoint(environment: TestEnvironment, latitude: number, clients: number): Promise<string> {
  const apId = uniqueName('whatif')
  const configuration = {
    technology: 'WiFi',
    geolocation: { latitude, longitude: -2.6 },
    telemetry_interval_s: 600,
  }
  const agent = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', agent)).status).toBe(200)
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  const body = { payload: { clients, throughput_mbps: 3 * clients } }
  const send = () => call(environment.url, 'POST', '/api/v1/agent_update/update', { token, body })
  // 503 while the broker is busy, which an agent repeats.
  await expect.poll(async () => (await send()).status, soon).toBe(200)
  const shown = async () => {
    const { body: table } = await environment.request('GET', `/api/v1/fleet/table?ap_id=${apId}`)
    return table.rows.map((row: { clients: number | null; state: string }) => [row.state, row.clients])
  }
  await expect.poll(shown, soon).toEqual([['online', clients]])
  return apId
}

describe('a what-if', () => {
  it('is an experiment in a world of the network as it is now', async ({ environment }) => {
    const operator = await Party.user(environment)
    const apIds = [await accessPoint(environment, 51.45, 5), await accessPoint(environment, 51.4502, 7)]
    const command = { ap_id: apIds[0], command: 'sleep' }
    const { status, body } = await operator.whatIf({
      agents: apIds,
      command,
      repetitions: 1,
      horizon_s: 600,
    })
    expect([status, body]).toEqual([200, expect.anything()])
    expect(body).toMatchObject({
      name: `What if: sleep at ${apIds[0]}`,
      kind: 'what_if',
      state: 'waiting',
      world: {
        network: {
          access_points: 2,
          left_out: 0,
          clients: 12,
          measured_clients: 0,
          at: expect.any(String),
        },
      },
      policies: ['none', 'command'],
      command,
      seed: 'what-if',
      duration_s: 600,
      runs: 2,
    })
    const ids = await environment.sql(
      'select id from experiment_runs where experiment_id = $1 order by run',
      [body.id],
    )
    const connection = await amqp.connect(environment.rabbitmqUrl)
    try {
      const channel = await connection.createChannel()
      const found = new Map<string, ReturnType<typeof parseExperimentRun>>()
      const read = async () => {
        const message = await channel.get(experimentQueue, { noAck: true })
        const run = message ? parseExperimentRun(message.content.toString()) : undefined
        if (run) found.set(run.run_id, run)
        return ids.filter(({ id }) => found.has(id)).length
      }
      await expect.poll(read, { ...soon, interval: 10 }).toBe(2)
      const [without, asked] = ids.map(({ id }) => found.get(id))
      expect(without?.places?.map((place) => [place.ap_id, place.clients, place.mbps_per_client])).toEqual(
        [
          [apIds[0], 5, 3],
          [apIds[1], 7, 3],
        ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      )
      expect(asked?.places).toEqual(without?.places)
      expect([without?.policy, without?.command]).toEqual([{ name: 'none' }, undefined])
      expect([asked?.policy, asked?.command]).toEqual([{}, command])
    } finally {
      await connection.close()
    }
  })

  it('has the clients that access points report, unless it is of an app that may not read them', async ({
    environment,
  }) => {
    const scopes = ['experiments:read', 'experiments:write', 'agents:read', 'metrics:read']
    const operator = await Party.user(environment)
    const apIds = [
      await accessPoint(environment, 51.45, 2),
      await accessPoint(environment, 51.4501, 0),
    ].sort()
    const [own = '', other = ''] = apIds
    const heard = { [own]: -55, [other]: -70, unknown: -60 }
    const client = {
      client: uniqueName('client'),
      signal_dbm: -55,
      rate_mbps: 400,
      throughput_mbps: 2.5,
      heard,
    }
    const connection = await amqp.connect(environment.rabbitmqUrl)
    try {
      const channel = await connection.createConfirmChannel()
      const report = Buffer.from(JSON.stringify({ snapshot: true, joined: [client] }))
      channel.publish(exchanges.agents, agentRoutingKey(own, 'clients'), report, { persistent: true })
      await channel.waitForConfirms()
    } finally {
      await connection.close()
    }
    const reported = async () =>
      (await environment.request('GET', `/api/v1/agents/${own}/clients`)).body.length
    await expect.poll(reported, soon).toBe(1)
    const placesOf = async (party: Party) => {
      const { body } = await party.whatIf({ agents: apIds, policy: 'dawn', repetitions: 1 })
      const [row] = await environment.sql('select places from experiments where id = $1', [body.id])
      return JSON.parse(row.places)
    }
    const known = {
      mbps: 2.5,
      heard: expect.arrayContaining([
        [0, -55],
        [1, -70],
      ]),
    }
    const places = await placesOf(operator)
    expect(places[0]).toMatchObject({ ap_id: own, members: [known] })
    expect(places[0].members[0].heard).toHaveLength(2)
    expect(places[1]).not.toHaveProperty('members')
    const blind = await placesOf(await Party.app(environment, scopes))
    expect(blind.map((place: object) => 'members' in place)).toEqual([false, false])
  })

  it('is created once by requests with the same key, also when the network has changed', async ({
    environment,
  }) => {
    const operator = await Party.user(environment)
    const [apId, key] = [await accessPoint(environment, 51.45, 1), randomUUID()]
    const request = { policy: 'dawn', repetitions: 1 }
    const first = await operator.whatIf({ ...request, agents: [apId, 'unknown'] }, key)
    expect([first.status, first.body.world?.network]).toMatchObject([200, { access_points: 1, left_out: 1 }])
    // As if the access point were not in service any more.
    const again = await operator.whatIf({ ...request, agents: ['unknown'] }, key)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
  })

  it('needs access points that are in service, and the one of its command', async ({ environment }) => {
    const operator = await Party.user(environment)
    const apId = await accessPoint(environment, 51.45, 1)
    const unknown = await operator.whatIf({ agents: ['unknown'], policy: 'dawn' })
    expect([unknown.status, unknown.body.detail]).toEqual([404, expect.stringContaining('No access point')])
    const command = { ap_id: 'unknown', command: 'sleep' }
    expect((await operator.whatIf({ agents: [apId], command })).status).toBe(404)
    const area = { west: 10, south: 10, east: 11, north: 11 }
    expect((await operator.whatIf({ area, policy: 'dawn' })).status).toBe(404)
  })

  it('of an app is about access points that its permissions cover', async ({ environment }) => {
    const scopes = ['experiments:read', 'experiments:write', 'agents:read', 'metrics:read']
    const apIds = [await accessPoint(environment, 51.45, 2), await accessPoint(environment, 51.4501, 3)]
    const [app, blind] = [
      await Party.app(environment, scopes, [apIds[0] ?? '']),
      await Party.app(environment, scopes.slice(0, 3)),
    ]
    const { body } = await app.whatIf({ agents: apIds, policy: 'best-experience' })
    expect(body.world.network).toMatchObject({ access_points: 1, left_out: 1, clients: 2 })
    expect((await blind.whatIf({ agents: apIds, policy: 'dawn' })).status).toBe(403)
  })
})
