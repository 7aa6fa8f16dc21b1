import { call, createEnvironment, startReplica, TestEnvironment, uniqueName } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { MetricsStore, StoreProxy } from '@manc/harness/metrics-store'
import { describe, expect, inject, vi } from 'vitest'

const user = 'writer'
const password = 'secret-of-the-store'

/** A server with two metrics stores: both are proxies of the same one, so that each can stop answering. */
class PairEnvironment extends TestEnvironment {
  readonly first = new StoreProxy(this.engines.victoria)
  readonly second = new StoreProxy(this.engines.victoria)
  readonly store = new MetricsStore(this.engines.victoria)
  /** Names of the stores. */
  names: string[] = []

  static async open(): Promise<PairEnvironment> {
    const base = await createEnvironment(inject('engines'))
    const environment = new PairEnvironment(base.engines, base.variables, () => base.drop())
    const urls = [await environment.first.start(), await environment.second.start()]
    environment.names = urls.map((url) => new URL(url).host)
    const withUser = urls.map((url) => url.replace('//', `//${user}:${password}@`))
    environment.variables['MANC_VICTORIA_URL'] = withUser.join(', ')
    return environment.serve()
  }

  override async drop(): Promise<void> {
    this.first.stop()
    this.second.stop()
    await super.drop()
  }

  /** Reads a new agent, of which no reply is cached. */
  async read(url = this.url): Promise<{ status: number; ms: number; store: StoreProxy | undefined }> {
    const agent = uniqueName('pair')
    await this.request('POST', '/api/v1/agents/', { ap_id: agent, password: 'p', configuration: {} })
    await this.store.write(agent, [{ at: Date.now(), metrics: { clients: 1 } }])
    const startedAt = performance.now()
    const path = `/api/v1/metrics/agent_data?agent=${agent}&window=5`
    const { status } = await call(url, 'GET', path, { token: this.adminToken })
    const ms = performance.now() - startedAt
    const hasAnswered = (proxy: StoreProxy) => proxy.readsOf(agent) > 0 && !proxy.isSilent
    return { status, ms, store: [this.first, this.second].find(hasAnswered) }
  }

  /** The first of a few that takes less than this. The machine is shared: it may hold up any of them. */
  async readWithin(ms: number) {
    let answer = await this.read()
    for (let round = 1; round < 3 && answer.ms >= ms; round++) answer = await this.read()
    return answer
  }
}

const it = environmentTest(() => PairEnvironment.open())

let environment: PairEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

it.afterEach(() => {
  environment.first.isSilent = false
  environment.second.isSilent = false
})

const until = (condition: () => void | Promise<void>) =>
  vi.waitFor(condition, { timeout: 60_000, interval: 200 })

const gaps = () => environment.sql('select * from metrics_gaps order by store, source')

describe('With two metrics stores', () => {
  it('a store that is added misses everything, and is not repaired before all ingesters write to it', async () => {
    const [first, second] = environment.names
    expect(await gaps()).toMatchObject([{ store: second, source: first, to_ms: '8640000000000000' }])
    const [{ wait }] = await environment.sql('select repair_after > now() as wait from metrics_gaps')
    expect(wait).toBe(true)
  })

  it('health names each of them, without its address', async () => {
    const { body } = await call(environment.url, 'GET', '/readyz')
    expect(body.engines).toEqual({
      postgres: 'up',
      rabbitmq: 'up',
      'victoriametrics-1': 'up',
      'victoriametrics-2': 'up',
    })
  })

  it('the metrics have the gap of each', async () => {
    const [first = '', second = ''] = environment.names
    const { body } = await call(environment.server.internalUrl, 'GET', '/metrics')
    expect(body).toContain(`manc_victoria_gap_seconds{store="${first}"} 0`)
    const gapS = new RegExp(`manc_victoria_gap_seconds\\{store="${second}"\\} (\\S+)`).exec(String(body))?.[1]
    expect(Number(gapS)).toBeGreaterThan(86_400)
  })

  it('reads come from the first, and from the second while the first does not answer', async () => {
    // One that did not answer for a moment is not preferred for 30 s.
    await until(async () => {
      expect(await environment.read()).toMatchObject({ status: 200, store: environment.first })
    })
    environment.first.isSilent = true
    const failedOver = await environment.read()
    expect(failedOver).toMatchObject({ status: 200, store: environment.second })
    expect(failedOver.ms).toBeLessThan(2000)
    // It is known by now that the first does not answer.
    const next = await environment.readWithin(failedOver.ms)
    expect(next).toMatchObject({ status: 200, store: environment.second })
    expect(next.ms).toBeLessThan(failedOver.ms)
  })

  it('a request fails within 2 s while neither answers, and works when one is back', async () => {
    environment.first.isSilent = true
    environment.second.isSilent = true
    for (let n = 0; n < 3; n++) {
      const { status, ms } = await environment.readWithin(2000)
      expect(status).toBe(503)
      expect(ms).toBeLessThan(2000)
    }
    environment.second.isSilent = false
    await until(async () => {
      expect(await environment.read()).toMatchObject({ status: 200, store: environment.second })
    })
  })

  it('reads prefer the one that misses nothing', async () => {
    const [first, second] = environment.names
    await environment.sql('delete from metrics_gaps')
    await environment.sql(
      `insert into metrics_gaps (store, source, from_ms, to_ms, repair_after)
       values ($1, $2, 0, 60000, now() + interval '1 hour')`,
      [first, second],
    )
    const replica = await environment.startServer({ MANC_ROLES: 'api' })
    await until(async () => {
      expect(await environment.read(replica.url)).toMatchObject({ status: 200, store: environment.second })
    })
  })

  it('one that is no longer listed is forgotten, and is new when it is listed again', async () => {
    const [first, second] = environment.names
    const urls = String(environment.variables['MANC_VICTORIA_URL']).split(', ')
    await environment.sql('delete from metrics_gaps')
    await environment.startServer({ MANC_ROLES: 'subscriber,api', MANC_VICTORIA_URL: urls[1] ?? '' })
    expect(await environment.sql('select name from metrics_stores')).toEqual([{ name: second }])
    await environment.startServer()
    expect(await gaps()).toMatchObject([{ store: first, source: second }])
  })

  it('the passwords of the stores are in no log', async () => {
    environment.first.isSilent = true
    await until(() => {
      expect(environment.server.logged()).toContain('a metrics store does not answer')
    })
    expect(environment.server.logged()).not.toContain(password)
  })

  it.for([
    ['an address twice', 'http://a:8428,http://a:8428/', 'the same address twice'],
    ['something else than a URL', 'http://a:8428,metrics-2', 'is not a valid URL'],
  ])('the setting cannot have %s', async ([, value = '', message = '']) => {
    const started = startReplica({ ...environment.variables, MANC_VICTORIA_URL: value })
    await expect(started).rejects.toThrow(message)
  })
})
