import { type AgentTopic, agentRoutingKey, exchanges, type NetworkEvent } from '@manc/contract'
import { logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect, inject } from 'vitest'

const it = test.override('variables', { MANC_ROLES: 'api,subscriber,ingester' })

let environment: TestEnvironment
const soon = { timeout: 60_000, interval: 200 }

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function events(query: string): Promise<NetworkEvent[]> {
  const { status, body } = await environment.request('GET', `/api/v1/events?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body
}

/** The oldest first. */
const kindsOf = async (apId: string) => (await events(`ap_id=${apId}`)).map(({ kind }) => kind).toReversed()

async function register(
  prefix: string,
  configuration: object = {},
): Promise<{ name: string; token: string }> {
  const name = uniqueName(prefix)
  const body = { ap_id: name, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return { name, token: await tokenOf(environment.url, 'agent', name, 'p') }
}

async function update(token: string, body: object): Promise<{ commands: { id: string }[] }> {
  const answer = await environment.request('POST', '/api/v1/agent_update/update', body, token)
  expect(answer.status).toBe(200)
  return answer.body
}

/** As the broker's MQTT side publishes it. */
async function publish(name: string, topic: AgentTopic, payload: string): Promise<void> {
  const { origin, username, password } = new URL(inject('engines').rabbitmqManagement)
  const answer = await fetch(
    `${origin}/api/exchanges/${environment.virtualHost}/${exchanges.agents}/publish`,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        routing_key: agentRoutingKey(name, topic),
        payload,
        payload_encoding: 'string',
        properties: { delivery_mode: 2 },
      }),
    },
  )
  expect(await answer.json()).toEqual({ routed: true })
}

describe('exactly one event is appended', () => {
  it('for each change of presence of an agent that sends samples and falls silent', async () => {
    // Longer than a run of the monitor: no state is skipped.
    const configuration = { telemetry_interval_s: 3 }
    const { name, token } = await register('samples', configuration)
    await update(token, { payload: { clients: 1 } })
    await update(token, { payload: { clients: 2 } })
    await expect.poll(() => kindsOf(name), soon).toEqual(['onboarded', 'online', 'stale', 'offline'])
    await update(token, { payload: { clients: 3 } })
    await expect
      .poll(() => kindsOf(name), soon)
      .toEqual(['onboarded', 'online', 'stale', 'offline', 'online', 'stale', 'offline'])
  })

  it('for each change of presence that status messages and last wills report', async () => {
    const { name } = await register('status', { telemetry_interval_s: 3600 })
    const connectedAt = new Date().toISOString()
    const status = (text: string) =>
      publish(name, 'status', JSON.stringify({ status: text, connected_at: connectedAt }))
    await status('online')
    await expect.poll(() => kindsOf(name), soon).toEqual(['online'])
    await status('online')
    await status('offline')
    await expect.poll(() => kindsOf(name), soon).toEqual(['online', 'offline'])
    await status('offline')
    await status('online')
    await expect.poll(() => kindsOf(name), soon).toEqual(['online', 'offline', 'online'])
  })

  it('for a changed configuration, with the name of the caller', async () => {
    const { name, token } = await register('configured')
    const path = `/api/v1/agents/${name}`
    const configuration = { mode: 'new' }
    for (let n = 0; n < 2; n++) await environment.request('PUT', path, { configuration })
    await environment.request('PUT', path, { configuration: { mode: 'own' } }, token)
    const found = await events(`ap_id=${name}&kind=configured`)
    expect(found.map(({ subject }) => subject)).toEqual([name, expect.stringContaining('@')])
  })

  it.for([
    { state: 'succeeded', severity: 'info' },
    { state: 'failed', severity: 'warning' },
  ])('for a command that has $state, without its arguments', async ({ state, severity }) => {
    const { name, token } = await register(`command-${state}`)
    const sent = await environment.request(
      'POST',
      `/api/v1/send_command?agent_id=${name}&command=${encodeURIComponent('set_key secret')}`,
    )
    expect(sent.status).toBe(200)
    const id = sent.body.job_number as string
    const report = {
      results: [
        { id, state: 'delivered' },
        { id, state },
      ],
    }
    for (let n = 0; n < 2; n++) await update(token, report)
    const found = await events(`ap_id=${name}&kind=command`)
    expect(found).toMatchObject([{ severity, subject: id, data: { command: 'set_key', outcome: state } }])
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  it('for the start and the end of an emulation', async () => {
    const emulators = [
      {
        access_point_type: 'LiFi',
        num_access_points: 2,
        locations: ['Bristol'],
        num_devices: 1,
        duration: 600,
      },
    ]
    const { status, body } = await environment.request('POST', '/api/v1/emulator/spinup', { emulators })
    expect(status).toBe(200)
    const ofThis = async () =>
      (await events('kind=emulation_started&kind=emulation_ended'))
        .filter(({ subject }) => subject === body.job_number)
        .map(({ kind, data }) => [kind, data])
    expect(await ofThis()).toEqual([['emulation_started', { agents: 2 }]])
    for (let n = 0; n < 2; n++) await environment.request('DELETE', `/api/v1/emulations/${body.job_number}`)
    await expect.poll(ofThis, soon).toEqual([
      ['emulation_ended', { agents: 2, outcome: 'stopped' }],
      ['emulation_started', { agents: 2 }],
    ])
  })

  it('for each phase of an emulation when it begins, once and not after its end', async () => {
    const spec = {
      access_point_type: 'WiFi',
      num_access_points: 1,
      locations: ['Bristol'],
      num_devices: 1,
      duration: 600,
      scenario: 'backhaul_cut',
    }
    const start = async () => {
      const emulators = [spec, { ...spec, access_point_type: '5G' }]
      const { body } = await environment.request('POST', '/api/v1/emulator/spinup', { emulators })
      return body.job_number as string
    }
    const [running, stopped] = [await start(), await start()]
    const ofThis = async (jobNumber: string) =>
      (await events('kind=emulation_phase')).filter(({ subject }) => subject === jobNumber)
    const planned = async (jobNumber: string) =>
      (await environment.sql('select phase from emulation_phases where job_number = $1', [jobNumber])).length
    expect([await planned(running), await ofThis(running)]).toEqual([2, []])
    await environment.request('DELETE', `/api/v1/emulations/${stopped}`)
    // Instead of waiting for minutes.
    await environment.sql('update emulation_phases set begins_at = begins_at - make_interval(secs => 300)')
    await expect
      .poll(() => ofThis(running), soon)
      .toMatchObject([
        {
          text: `In the emulation ${running} the backhaul is cut.`,
          data: { phase: 'backhaul_cut', scenario: 'backhaul_cut' },
        },
      ])
    await environment.sql('update emulation_phases set begins_at = begins_at - make_interval(secs => 300)')
    await expect.poll(async () => (await planned(running)) + (await planned(stopped)), soon).toBe(0)
    expect((await ofThis(running)).map(({ data }) => data['phase'])).toEqual([
      'backhaul_restored',
      'backhaul_cut',
    ])
    expect(await ofThis(stopped)).toEqual([])
    await environment.request('DELETE', `/api/v1/emulations/${running}`)
  })

  it('for a changed version in the configuration, and none where it is new or the same', async () => {
    const { name, token } = await register('version')
    for (const configuration of [
      { technology: 'WiFi' },
      { technology: 'WiFi', firmware_version: '1.0' },
      { technology: 'LiFi', firmware_version: '1.0' },
      { technology: 'LiFi', firmware_version: '1.1' },
      { technology: 'LiFi', firmware_version: '1.1' },
    ])
      await update(token, { configuration })
    const found = async () => (await events(`ap_id=${name}&kind=version_changed`)).map(({ text }) => text)
    await expect.poll(found, soon).toEqual([`The firmware version of ${name} changed from 1.0 to 1.1.`])
  })

  it('for a login of an administrator, and none for a login of another user or a failed one', async () => {
    const accounts = ['admin', 'user'].map((role) => ({
      username: `${uniqueName(role)}@manc.test`,
      password: 'a-password',
      roles: role === 'admin' ? ['admin'] : [],
    }))
    for (const account of accounts) {
      expect((await environment.request('POST', '/api/v1/users/', account)).status).toBe(200)
      expect((await logIn(environment.url, 'user', account.username, 'wrong')).status).toBe(401)
      expect((await logIn(environment.url, 'user', account.username, account.password)).status).toBe(200)
    }
    const names = accounts.map(({ username }) => username)
    const found = (await events('kind=admin_login')).filter(({ subject }) => names.includes(subject ?? ''))
    expect(found.map(({ subject }) => subject)).toEqual([names[0]])
  })
})
