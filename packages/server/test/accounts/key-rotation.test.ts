import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobQueue } from '@manc/contract'
import {
  type ApiResponse,
  admin,
  call,
  createEnvironment,
  type Replica,
  runServerCommand,
  startReplica,
  type TestEnvironment,
  uniqueName,
  type Variables,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { describe, expect, inject } from 'vitest'
import { keyIdOf, Secrets } from '../../src/secrets.ts'

const it = test.override('withServer', false)

let environment: TestEnvironment
/** The settings of the steps of a rotation. */
let before: Variables
let prepared: Variables
let swapped: Variables
let after: Variables

it.beforeAll(({ environment: own }) => {
  environment = own
  before = { ...own.variables, MANC_EMULATOR_WAIT_SECONDS: '600' }
  const { MANC_TOKEN_KEY: tokenKey = '', MANC_DATA_KEY: dataKey = '' } = before
  const next = { token: randomBytes(32).toString('hex'), data: randomBytes(32).toString('hex') }
  prepared = { ...before, MANC_TOKEN_KEY_NEXT: next.token, MANC_DATA_KEY_NEXT: next.data }
  after = { ...before, MANC_TOKEN_KEY: next.token, MANC_DATA_KEY: next.data }
  swapped = { ...after, MANC_TOKEN_KEY_PREVIOUS: tokenKey, MANC_DATA_KEY_PREVIOUS: dataKey }
})

async function withServer<T>(variables: Variables, work: (server: Replica) => Promise<T>): Promise<T> {
  const server = await startReplica(variables)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Repeated after 503: on a busy machine the first query may take longer than the server waits for the database. */
async function send(...request: Parameters<typeof call>): Promise<ApiResponse> {
  for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
    const response = await call(...request)
    if (response.status !== 503 || Date.now() > deadline) return response
  }
}

const adminAt = ({ url }: Replica) => tokenAt(url, 'user', admin.username, admin.password)

async function tokenAt(url: string, kind: string, username: string, password: string): Promise<string> {
  const form = { username, password }
  const { body } = await send(url, 'POST', `/api/v1/token/?login_type=${kind}`, { form })
  return body.access_token
}

async function createApp(server: Replica, token: string): Promise<{ name: string; apiKey: string }> {
  const [name, apiKey] = [uniqueName('app'), uniqueName('key')]
  const body = { app_name: name, api_key: apiKey, permissions: {} }
  const { status } = await send(server.url, 'POST', '/api/v1/third_party_apps/', { token, body })
  expect(status).toBe(200)
  return { name, apiKey }
}

const readKey = async (server: Replica, token: string, name: string) => {
  const { status, body } = await send(server.url, 'GET', `/api/v1/third_party_apps/${name}`, { token })
  return status === 200 ? body.api_key : status
}

describe('a rotation of both keys', () => {
  it('keeps tokens and API keys valid between replicas at consecutive steps', async () => {
    for (const [first, second] of [
      [before, prepared],
      [prepared, swapped],
      [swapped, after],
    ] as const)
      await withServer(second, (newer) =>
        withServer(first, async (older) => {
          const ofNewer = await adminAt(newer)
          const app = await createApp(newer, ofNewer)
          // At the last step, tokens and data under the old key are gone already.
          const tokens = second === after ? [ofNewer] : [ofNewer, await adminAt(older)]
          const expected = tokens.map(() => app.apiKey)
          for (const server of [older, newer])
            expect(await Promise.all(tokens.map((token) => readKey(server, token, app.name)))).toEqual(
              expected,
            )
          const login = await send(older.url, 'POST', '/api/v1/token/?login_type=third_party_app', {
            form: { username: app.name, password: app.apiKey },
          })
          expect(login.status).toBe(200)
        }),
      )
  })

  it('re-encrypts all API keys with two concurrent commands, and the old keys are void afterwards', async () => {
    const { app, token } = await withServer(before, async (server) => {
      const ofAdmin = await adminAt(server)
      return { app: await createApp(server, ofAdmin), token: ofAdmin }
    })
    await insertApps(300, new Secrets({ dataKey: before['MANC_DATA_KEY'] ?? '' }))
    const outdated = await runServerCommand(['keys', 'status'], swapped)
    expect(outdated.output).toContain('run: manc-server keys rotate')
    const runs = await Promise.all([1, 2].map(() => runServerCommand(['keys', 'rotate'], swapped)))
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
    const rows = runs.map(({ output }) => Number(/^(\d+) rows were re-encrypted/m.exec(output)?.[1]))
    const audited = await environment.sql(
      `select sum((detail ->> 'rows')::int)::int as rows, min(target) as key, min(actor_kind) as actor
       from audit where action = 'keys.rotate'`,
    )
    const total = (rows[0] ?? 0) + (rows[1] ?? 0)
    expect(total).toBeGreaterThanOrEqual(301)
    expect(audited).toEqual([
      { rows: total, key: keyIdOf(after['MANC_DATA_KEY'] ?? ''), actor: 'command-line' },
    ])
    const again = await runServerCommand(['keys', 'rotate'], swapped)
    expect(again.output).toContain('0 rows were re-encrypted.')
    await withServer(after, async (server) => {
      expect(await readKey(server, token, app.name)).toBe(401)
      expect(await readKey(server, await adminAt(server), app.name)).toBe(app.apiKey)
    })
    const gone = await runServerCommand(['keys', 'rotate'], before)
    expect([gone.code, gone.output]).toEqual([1, expect.stringContaining('key that is not in the settings')])
  })

  it('does not overwrite an API key that is changed during the re-encryption', async () => {
    const app = await withServer(before, async (server) => createApp(server, await adminAt(server)))
    await withServer(swapped, async (server) => {
      const token = await adminAt(server)
      const rotation = runServerCommand(['keys', 'rotate'], swapped)
      let newest = app.apiKey
      const progress = { isDone: false }
      void rotation.finally(() => {
        progress.isDone = true
      })
      for (let n = 0; n < 5 || !progress.isDone; n++) {
        newest = uniqueName('changed')
        const { status } = await send(server.url, 'PUT', `/api/v1/third_party_apps/${app.name}`, {
          token,
          body: { api_key: newest },
        })
        expect(status).toBe(200)
      }
      expect((await rotation).code).toBe(0)
      expect(await readKey(server, token, app.name)).toBe(newest)
    })
  })

  it('keeps enrolment tokens valid, those of version 1.0 while the previous key is set', async () => {
    const [token, tokenOf10] = await withServer(before, async (server) => {
      const ofAdmin = await adminAt(server)
      const create = async () => {
        const body = { ap_id_pattern: '*', max_uses: 10 }
        const options = { token: ofAdmin, body }
        return (await send(server.url, 'POST', '/api/v1/enrolment_tokens', options)).body.token as string
      }
      return [await create(), await create()] as const
    })
    const hash = new Secrets({ dataKey: before['MANC_DATA_KEY'] ?? '' }).fingerprint(tokenOf10)
    await environment.sql('update enrolment_tokens set digest = null where hash = $1', [hash])
    const enrol = async (server: Replica, bearer: string) => {
      const body = { ap_id: uniqueName('ap'), password: 'password', configuration: {} }
      return (await send(server.url, 'POST', '/api/v1/agents/public', { token: bearer, body })).status
    }
    const accepted = (variables: Variables) =>
      withServer(variables, async (server) => [await enrol(server, token), await enrol(server, tokenOf10)])
    expect(await accepted(swapped)).toEqual([200, 200])
    const { output } = await runServerCommand(['keys', 'status'], swapped)
    expect(output).toMatch(/enrolment tokens of version 1\.0: 1 may need MANC_DATA_KEY_PREVIOUS until 20/)
    expect(await accepted(after)).toEqual([200, 401])
  })

  it('keeps reset and setup tokens valid while the previous key is set', async () => {
    const old = new Secrets({ dataKey: before['MANC_DATA_KEY'] ?? '' })
    const reset = async (variables: Variables) => {
      const token = uniqueName('reset-token')
      return withServer(variables, async (server) => {
        await environment.sql(
          `insert into reset_tokens (user_id, hash, expires_at)
           select id, $1, now() + interval '10 minutes' from users where username = $2
           on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
          [old.fingerprint(token), admin.username],
        )
        const body = { token, new_password: admin.password }
        return (await send(server.url, 'POST', '/api/v1/users/reset-password', { body })).status
      })
    }
    expect([await reset(swapped), await reset(after)]).toEqual([200, 400])

    const empty = await createEnvironment(inject('engines'))
    const setup = async (variables: Variables) => {
      const { MANC_BOOTSTRAP_ADMIN_USERNAME: _n, MANC_BOOTSTRAP_ADMIN_PASSWORD: _p, ...keys } = variables
      const server = await startReplica({ ...keys, ...databaseOf(empty) })
      await empty.sql('insert into setup_tokens (hash) values ($1) on conflict do nothing', [
        old.fingerprint('setup_of-the-old-key'),
      ])
      const body = { username: `${uniqueName('first')}@example.test`, password: 'password', roles: ['admin'] }
      const token = 'setup_of-the-old-key'
      const { status } = await send(server.url, 'POST', '/api/v1/users/public', { token, body })
      await server.stop()
      return status
    }
    expect([await setup(after), await setup(swapped)]).toEqual([401, 200])
    await empty.drop()
  })

  it('offers an emulation of the previous key with the passwords that its agents already have', async () => {
    const emulators = [
      {
        access_point_type: 'WiFi',
        num_access_points: 2,
        locations: ['Bristol'],
        num_devices: 1,
        duration: 600,
      },
    ]
    // Without the role subscriber, which would publish the message under the old key.
    const job = await withServer({ ...before, MANC_ROLES: 'api' }, async (server) => {
      const token = await adminAt(server)
      const { body } = await send(server.url, 'POST', '/api/v1/emulator/spinup', {
        token,
        body: { emulators },
      })
      return body.job_number as string
    })
    const { output } = await runServerCommand(['keys', 'status'], swapped)
    expect(output).toMatch(/running emulations: \d+ may need MANC_DATA_KEY_PREVIOUS until 20/)
    await withServer(swapped, async (server) => {
      const agents = await offeredAgents(job)
      expect(agents).toHaveLength(2)
      for (const { ap_id: apId, password } of agents)
        expect(await tokenAt(server.url, 'agent', apId, password)).toBeTypeOf('string')
    })
  })

  it('is not re-encrypted back while the next key is only accepted', async () => {
    const { code, output } = await runServerCommand(['keys', 'rotate'], prepared)
    expect([code, output]).toEqual([1, expect.stringContaining('Make MANC_DATA_KEY_NEXT the MANC_DATA_KEY')])
  })

  it('rejects settings in which two keys of a rotation are equal', async () => {
    const same = { ...before, MANC_DATA_KEY_PREVIOUS: before['MANC_DATA_KEY'] ?? '' }
    const { code, output } = await runServerCommand(['keys', 'status'], same)
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('MANC_DATA_KEY is the same key as MANC_DATA_KEY_PREVIOUS'),
    ])
    expect(output).not.toContain(same.MANC_DATA_KEY_PREVIOUS)
  })
})

/** The agents in the message for emulators. */
async function offeredAgents(job: string): Promise<{ ap_id: string; password: string }[]> {
  const connection = await amqp.connect(environment.rabbitmqUrl)
  let agents: { ap_id: string; password: string }[] | undefined
  try {
    const channel = await connection.createChannel()
    const poll = async () => {
      const message = await channel.get(jobQueue('emulator_spinup'), { noAck: true })
      const content = message && JSON.parse(message.content.toString())
      if (content?.job_number === job) agents = content.data.agents
      return agents !== undefined
    }
    await expect.poll(poll, { timeout: 20_000, interval: 50 }).toBe(true)
  } finally {
    await connection.close()
  }
  return agents ?? []
}

const databaseOf = ({ variables }: TestEnvironment): Variables => ({
  MANC_DATABASE_URL: variables['MANC_DATABASE_URL'] ?? '',
  MANC_RABBITMQ_URL: variables['MANC_RABBITMQ_URL'] ?? '',
})

async function insertApps(count: number, secrets: Secrets): Promise<void> {
  const keys = Array.from({ length: count }, () => secrets.seal(uniqueName('key')))
  await environment.sql(
    `insert into third_party_apps (id, app_name, api_key_hash, api_key_sealed, permissions)
     select gen_random_uuid(), $1 || n, '', key, '{}' from unnest($2::bytea[]) with ordinality as each (key, n)`,
    [uniqueName('bulk'), keys],
  )
}
