import { randomBytes } from 'node:crypto'
import {
  admin,
  call,
  createEnvironment,
  runServerCommand,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { type LoadBalancer, sized, startLoadBalancer } from '@manc/harness/load'
import { type Credentials, Manc } from '@manc/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { Jwt } from '../../src/modules/tokens/index.ts'
import { Secrets } from '../../src/secrets.ts'

const storedApps = sized(20_000, 2000)
const callersOfAKind = sized(4, 2)
const tokenLifetimeS = sized(60, 20)

let engines: EngineSet
let environment: TestEnvironment
let balancer: LoadBalancer
let replicas: ServerProcess[] = []
let load: Load

beforeAll(async () => {
  engines = await startSet({ name: 'key-rotation', ephemeral: true })
  environment = await createEnvironment(engines.urls, {
    MANC_USER_TOKEN_SECONDS: String(tokenLifetimeS),
    MANC_AGENT_TOKEN_SECONDS: String(tokenLifetimeS),
    MANC_APP_TOKEN_SECONDS: String(tokenLifetimeS),
    MANC_RESET_TOKEN_SECONDS: String(tokenLifetimeS),
    // Tokens expire after seconds.
    MANC_LOGINS_PER_MINUTE: '100000',
  })
  balancer = await startLoadBalancer()
})

afterAll(async () => {
  await load?.stop()
  for (const replica of replicas) await replica.stop()
  await balancer?.stop()
  await engines?.down()
})

describe('both keys are rotated under load', () => {
  it('without a failed request or a rejected token, and the old keys are void afterwards', async () => {
    const before: Variables = environment.variables
    const old = { token: before['MANC_TOKEN_KEY'] ?? '', data: before['MANC_DATA_KEY'] ?? '' }
    const next = { token: randomBytes(32).toString('hex'), data: randomBytes(32).toString('hex') }
    const prepared = { ...before, MANC_TOKEN_KEY_NEXT: next.token, MANC_DATA_KEY_NEXT: next.data }
    const after = { ...before, MANC_TOKEN_KEY: next.token, MANC_DATA_KEY: next.data }
    const swapped = { ...after, MANC_TOKEN_KEY_PREVIOUS: old.token, MANC_DATA_KEY_PREVIOUS: old.data }

    replicas = [await startServerProcess(before), await startServerProcess(before)]
    for (const replica of replicas) balancer.add(replica)
    await insertApps(new Secrets({ dataKey: old.data }))
    load = await Load.start(balancer.url)
    const startedAt = Date.now()
    await load.completed(100)

    await restartAll(prepared)
    await load.completed(100)
    await restartAll(swapped)
    const lastOfOldKey = await new Jwt({ key: old.token, maxLifetimeS: tokenLifetimeS }).sign(
      await claimsOfAdmin(),
      tokenLifetimeS,
    )
    expect(await statusOf(lastOfOldKey)).toBe(200)

    const rotatedAt = Date.now()
    const rotations = await Promise.all([1, 2].map(() => runServerCommand(['keys', 'rotate'], swapped)))
    const rotationMs = Date.now() - rotatedAt
    expect(rotations.map(({ code }) => code)).toEqual([0, 0])
    const reencrypted = rotations.reduce(
      (sum, { output }) => sum + Number(/^(\d+) rows were re-encrypted/m.exec(output)?.[1]),
      0,
    )
    expect(reencrypted).toBeGreaterThanOrEqual(storedApps)

    await expect
      .poll(() => statusOf(lastOfOldKey), { timeout: 2000 * tokenLifetimeS, interval: 200 })
      .toBe(401)
    const { output: status } = await runServerCommand(['keys', 'status'], swapped)
    expect(status).toContain('MANC_DATA_KEY_PREVIOUS can be removed')
    await restartAll(after)
    await load.completed(100)
    const figures = await load.stop()
    const seconds = (Date.now() - startedAt) / 1000

    console.log(
      `${figures.requests} requests by ${load.callers} callers in ${seconds.toFixed(0)} s over 6 restarts: ` +
        `${figures.failures.length} failed, ${figures.rejectedTokens} tokens rejected, ` +
        `${figures.attempts - figures.requests} further attempts and logins by the SDK. ` +
        `${reencrypted} API keys re-encrypted in ${(rotationMs / 1000).toFixed(1)} s by two commands at once.`,
    )
    expect(figures.failures).toEqual([])
    expect(figures.rejectedTokens).toBe(0)
    const fresh = await new Jwt({ key: old.token, maxLifetimeS: tokenLifetimeS }).sign(
      await claimsOfAdmin(),
      10,
    )
    expect(await statusOf(fresh)).toBe(401)
    await expectOnlyKey(next.data, old.data)
  }, 480_000)
})

/** Stops and starts one replica after the other. */
async function restartAll(variables: Variables): Promise<void> {
  for (const [n, replica] of replicas.entries()) {
    balancer.remove(replica)
    expect(await replica.stop()).toBe(0)
    const restarted = await startServerProcess(variables)
    replicas[n] = restarted
    balancer.add(restarted)
  }
}

const statusOf = async (token: string) =>
  (await call(balancer.url, 'GET', '/api/v1/users/me', { token })).status

async function claimsOfAdmin() {
  const [user] = await environment.sql('select id, token_version from users where username = $1', [
    admin.username,
  ])
  return {
    kind: 'user',
    sub: admin.username,
    uid: user.id,
    ver: user.token_version,
    scope: '',
    rank: 'admin',
  }
}

const storedKey = (n: number) => `key-of-stored-app-${n}`

async function insertApps(secrets: Secrets): Promise<void> {
  const keys = Array.from({ length: storedApps }, (_, n) => secrets.seal(storedKey(n)))
  await environment.sql(
    `insert into third_party_apps (id, app_name, api_key_hash, api_key_sealed, permissions)
     select gen_random_uuid(), 'stored-' || n - 1, '', key, '{}'
     from unnest($1::bytea[]) with ordinality as each (key, n)`,
    [keys],
  )
}

/** Every stored API key is encrypted with the new key, and has its value. */
async function expectOnlyKey(dataKey: string, oldKey: string): Promise<void> {
  const rows = await environment.sql(
    `select app_name as name, api_key_sealed as sealed from third_party_apps`,
  )
  const [current, previous] = [new Secrets({ dataKey }), new Secrets({ dataKey: oldKey })]
  const keys = new Map(rows.map(({ name, sealed }) => [name, current.unseal(sealed)]))
  for (let n = 0; n < storedApps; n++) expect(keys.get(`stored-${n}`)).toBe(storedKey(n))
  expect(rows.filter(({ sealed }) => previous.keyIdOfSealed(sealed) !== undefined)).toEqual([])
}

/** Callers that send one request after the other through the SDK, with its retries. */
class Load {
  readonly #url: string
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #figures = { requests: 0, attempts: 0, rejectedTokens: 0, failures: [] as string[] }

  private constructor(url: string) {
    this.#url = url
  }

  static async start(url: string): Promise<Load> {
    const started = new Load(url)
    const token = await tokenOf(url, 'user', admin.username, admin.password)
    for (let n = 0; n < callersOfAKind; n++) await started.#startCallers(n, token)
    return started
  }

  get callers(): number {
    return this.#running.length
  }

  /** Waits until so many further requests have been completed. */
  async completed(count: number): Promise<void> {
    const target = this.#figures.requests + count
    await expect.poll(() => this.#figures.requests, { timeout: 60_000 }).toBeGreaterThanOrEqual(target)
  }

  async stop() {
    this.#stopping.abort()
    await Promise.all(this.#running)
    return this.#figures
  }

  async #startCallers(n: number, token: string): Promise<void> {
    const create = async (path: string, body: unknown) =>
      expect((await call(this.#url, 'POST', path, { token, body })).status).toBe(200)
    const [app, changed, agent] = [`app-${n}`, `changed-${n}`, `ap-${n}`]
    await create('/api/v1/third_party_apps/', { app_name: app, api_key: `key-${n}`, permissions: {} })
    await create('/api/v1/third_party_apps/', { app_name: changed, api_key: 'first', permissions: {} })
    await create('/api/v1/agents/', { ap_id: agent, password: `password-${n}`, configuration: {} })
    const adminCredentials = { ...admin, loginType: 'user' as const }

    const user = this.#client(adminCredentials)
    this.#repeat('a user reads API keys', async () => {
      const stored = Math.floor(Math.random() * storedApps)
      const { api_key: key } = await user.apps.get(`stored-${stored}`)
      if (key !== storedKey(stored)) throw new Error(`read ${key} instead of ${storedKey(stored)}`)
    })
    let changes = 0
    this.#repeat('a user changes an API key', async () => {
      const key = `change-${++changes}`
      await user.apps.update(changed, { api_key: key })
      const { api_key: read } = await user.apps.get(changed)
      if (read !== key) throw new Error(`read ${read} instead of ${key}`)
    })
    const ownToken = this.#client({ loginType: 'third_party_app', username: app, password: `key-${n}` })
    this.#repeat('an application uses its token', async () => {
      await ownToken.agents.get(agent)
    })
    this.#repeat('an application logs in with its API key', async () => {
      const fresh = this.#client({ loginType: 'third_party_app', username: app, password: `key-${n}` })
      await fresh.agents.get(agent)
    })
    this.#repeat('an agent logs in', async () => {
      const fresh = this.#client({ loginType: 'agent', username: agent, password: `password-${n}` })
      await fresh.agents.get(agent)
    })
  }

  #client(credentials: Credentials): Manc {
    return new Manc({
      url: this.#url,
      credentials,
      fetch: async (...request) => {
        this.#figures.attempts += 1
        const response = await fetch(...request)
        // The SDK would log in again, and hide it.
        if (response.status === 401) this.#figures.rejectedTokens += 1
        return response
      },
    })
  }

  #repeat(name: string, request: () => Promise<void>): void {
    const run = async () => {
      while (!this.#stopping.signal.aborted) {
        await request().catch((error: unknown) => {
          this.#figures.failures.push(`${name}: ${String(error)}`)
        })
        this.#figures.requests += 1
      }
    }
    this.#running.push(run())
  }
}
