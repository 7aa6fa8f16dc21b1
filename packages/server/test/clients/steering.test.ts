import type { AgentClientsMessage, Client, CommandForAgent } from '@manc/contract'
import { type ApiResponse, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { publish } from './publish.ts'

const it = test.override('variables', { MANC_COMMAND_HOLD_SECONDS: '60', MANC_COMMAND_SECONDS: '120' })
const soon = { timeout: 60_000, interval: 50 }

let environment: TestEnvironment

it.beforeAll(async ({ environment: own }) => {
  environment = own
})

/** An access point over HTTP, which takes its commands with its updates. */
class AccessPoint {
  readonly apId: string
  readonly #token: string

  private constructor(apId: string, token: string) {
    this.apId = apId
    this.#token = token
  }

  static async register(technology: string): Promise<AccessPoint> {
    const apId = uniqueName(technology.toLowerCase())
    const body = { ap_id: apId, password: 'p', configuration: { technology } }
    expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
    return new AccessPoint(apId, await tokenOf(environment.url, 'agent', apId, 'p'))
  }

  report(message: AgentClientsMessage): Promise<void> {
    return publish(environment, this.apId, 'clients', message)
  }

  async update(body: object = {}): Promise<CommandForAgent[]> {
    const answer = await environment.request('POST', '/api/v1/agent_update/update', body, this.#token)
    expect(answer.status).toBe(200)
    return answer.body.commands
  }

  /** Waits for the next command. */
  async command(): Promise<CommandForAgent> {
    let commands: CommandForAgent[] = []
    await expect
      .poll(async () => {
        commands = await this.update()
        return commands.length
      }, soon)
      .toBeGreaterThan(0)
    return commands[0] as CommandForAgent
  }

  async clients(): Promise<Client[]> {
    return (await environment.request('GET', `/api/v1/agents/${this.apId}/clients`)).body
  }
}

async function appToken(priority: number, agents: string[]): Promise<string> {
  const permissions = { scopes: ['clients:read', 'commands:send'], agents, priority }
  const app = { app_name: uniqueName('app'), api_key: 'a-key', permissions }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
  return tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
}

const send = (apId: string, command: string, token?: string): Promise<ApiResponse> =>
  environment.request(
    'POST',
    `/api/v1/send_command?agent_id=${apId}&command=${encodeURIComponent(command)}`,
    undefined,
    token,
  )

const decide = (commands: object[], token?: string): Promise<ApiResponse> =>
  environment.request('POST', '/api/v1/commands', { commands }, token)

const stateOf = async (jobNumber: string, token?: string): Promise<string> =>
  (await environment.request('GET', `/api/v1/jobs/${jobNumber}`, undefined, token)).body.state

const random = () =>
  Math.floor(Math.random() * 256)
    .toString(16)
    .padStart(2, '0')
const newAddress = () => `06:${random()}:${random()}:${random()}:${random()}:${random()}`

/** Two access points with one client at the first. */
async function network() {
  const [from, to] = [await AccessPoint.register('WiFi'), await AccessPoint.register('LiFi')]
  const address = newAddress()
  await from.report({ snapshot: true, joined: [{ client: address }] })
  await expect.poll(async () => (await from.clients()).length, soon).toBe(1)
  const [client] = await from.clients()
  return { from, to, address, client: client?.id ?? '' }
}

describe('steering one client', () => {
  it('gives the agent the name of the client, and the caller its pseudonym, in the result too', async () => {
    const { from, to, address, client } = await network()
    const { status, body } = await send(from.apId, `steer_client ${client} ${to.apId}`)
    expect(status).toBe(200)
    const command = await from.command()
    expect(command.command).toBe(`steer_client ${address} ${to.apId}`)
    const result = { client: address, to: to.apId, moved: true, status: 0, text: `${address} moved in 40 ms` }
    await from.update({ results: [{ id: command.id, state: 'succeeded', result }] })
    await expect.poll(() => stateOf(body.job_number), soon).toBe('succeeded')
    const results = await environment.request('GET', `/api/v1/jobs/${body.job_number}/results`)
    const text = JSON.stringify(results.body)
    expect(text).toContain(`${client} moved in 40 ms`)
    expect(text).not.toContain(address)
    const stored = await environment.sql(
      `select commands::text as text from commands where job_number = $1
       union all select audit::text from audit where target = $2
       union all select events::text from events where ap_id = $2`,
      [body.job_number, from.apId],
    )
    expect(stored.length).toBeGreaterThan(1)
    expect(JSON.stringify(stored)).not.toContain(address)
  })

  it('is refused for an app that may not see the target', async () => {
    const { from, to, client } = await network()
    const token = await appToken(0, [from.apId])
    expect((await send(from.apId, `steer_client ${client} ${to.apId}`, token)).status).toBe(403)
    expect(
      (await decide([{ agent_id: from.apId, command: `steer_client ${client} ${to.apId}` }], token)).status,
    ).toBe(403)
  })
})

describe('the commands of a decision', () => {
  it('are one job, with several commands to one agent in order of their agents', async () => {
    const { from, to, client } = await network()
    const { status, body } = await decide([
      { agent_id: to.apId, command: 'wake' },
      { agent_id: from.apId, command: `steer_client ${client} ${to.apId}` },
      { agent_id: from.apId, command: 'set_power 10' },
    ])
    expect([status, body.agents, body.skipped]).toEqual([200, 3, 0])
    let executed = 0
    await expect
      .poll(async () => {
        for (const accessPoint of [from, to]) {
          const commands = await accessPoint.update()
          const results = commands.map(({ id }) => ({ id, state: 'succeeded' }))
          await accessPoint.update({ results })
          executed += commands.length
        }
        return executed
      }, soon)
      .toBe(3)
    await expect.poll(() => stateOf(body.job_number), soon).not.toMatch(/open|queued|running/)
    const parts = await environment.sql('select state from commands where parent = $1', [body.job_number])
    expect(parts.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })

  it.for<[string, object[] | undefined, object, number]>([
    ['an unknown agent', [{ agent_id: 'nowhere', command: 'wake' }], {}, 404],
    ['no command', [], {}, 422],
    ['a command beside them', [{ agent_id: 'x', command: 'wake' }], { command: 'sleep' }, 422],
    ['neither a command nor commands', undefined, { agents: ['x'] }, 422],
  ])('are refused with %s', async ([, commands, more, expected]) => {
    const body = { ...(commands && { commands }), ...more }
    expect((await environment.request('POST', '/api/v1/commands', body)).status).toBe(expected)
  })
})

describe('two apps with different policies', () => {
  it('get complete and consistent verdicts about one client, which moves once', async () => {
    const { from, to, address, client } = await network()
    const other = await AccessPoint.register('WiFi')
    const agents = [from.apId, to.apId, other.apId]
    const [saving, balancing] = [await appToken(1, agents), await appToken(1, agents)]
    // The first app reserves both access points of its decision.
    const first = await decide(
      [
        { agent_id: to.apId, command: 'wake' },
        { agent_id: from.apId, command: `steer_client ${client} ${to.apId}` },
      ],
      balancing,
    )
    expect(first.status).toBe(200)
    // The second one needs one of them, and gets neither of its two.
    const second = await decide(
      [
        { agent_id: other.apId, command: 'set_power 20' },
        { agent_id: from.apId, command: `steer_client ${client} ${other.apId}` },
      ],
      saving,
    )
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining(from.apId)])
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await send(to.apId, 'sleep', saving)).status).toBe(409)
    // Nothing of the refused decision is left: no command, and no reservation of the other access point.
    expect(await environment.sql('select 1 from commands where ap_id = $1', [other.apId])).toEqual([])
    expect((await send(other.apId, 'set_power 15', balancing)).status).toBe(200)
    // The client follows the only command that there is.
    expect((await from.command()).command).toBe(`steer_client ${address} ${to.apId}`)
    await to.report({ joined: [{ client: address }] })
    await expect.poll(async () => (await to.clients()).map(({ id }) => id), soon).toEqual([client])
    expect(await to.clients()).toMatchObject([{ from_ap_id: from.apId }])
    expect(await from.clients()).toEqual([])
    const { body } = await environment.request('GET', `/api/v1/clients/${client}`)
    expect(body.history).toMatchObject([{ ap_id: from.apId, ended: 'moved' }])
    // A person has precedence over both: the command that is not yet delivered is superseded.
    const taken = await send(to.apId, 'sleep')
    expect(taken.status).toBe(200)
    const [{ state }] = await environment.sql(`select state from commands where parent = $1 and ap_id = $2`, [
      first.body.job_number,
      to.apId,
    ])
    expect(['superseded', 'sent', 'delivered']).toContain(state)
  })
})
