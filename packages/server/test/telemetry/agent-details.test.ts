import { type ApiResponse, uniqueName } from '@manc/harness'
import { beforeAll, describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from './environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('the details of all agents (26)', () => {
  const count = 5000

  beforeAll(async () => {
    await environment.sql(`insert into agents (id, ap_id, password_hash, configuration, onboard)
       select gen_random_uuid(), 'd-' || (n % 5) || '-' || lpad(n::text, 5, '0'), 'x',
         ('{"b": [1, 2.50], "a": {"geolocation": {"lat": 51.4}},  "n": ' || n || '}')::json, n % 2 = 0
       from generate_series(0, ${count - 1}) as n`)
  })

  it('are ordered by id, with four fields and the configuration as it was sent', async () => {
    const answer = await fetch(`${environment.url}/api/v1/metrics/agent_details`, {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    })
    const text = await answer.text()
    expect(text).toContain('"configuration":{"b": [1, 2.50], "a": {"geolocation": {"lat": 51.4}},  "n": 17}')
    const all: { id: string; ap_id: string; configuration: { n: number }; onboard: boolean }[] =
      JSON.parse(text)
    const stored = all.filter(({ ap_id }) => ap_id.startsWith('d-'))
    expect(stored).toHaveLength(count)
    expect(all.map(({ ap_id }) => ap_id)).toEqual(all.map(({ ap_id }) => ap_id).toSorted())
    for (const { id, ap_id, configuration, onboard, ...rest } of stored) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect([Number(ap_id.slice(4)), onboard]).toEqual([configuration.n, configuration.n % 2 === 0])
      expect(rest).toEqual({})
    }
  })

  it('are limited to the agents that an app sees, completely and page by page', async () => {
    const token = await environment.createApp(uniqueName('globs'), {
      agents: ['d-3-*', 'd-*-0100*', 'nothing-*'],
    })
    const whole = await details('', token)
    const expected = Array.from(
      { length: count },
      (_, n) => `d-${n % 5}-${String(n).padStart(5, '0')}`,
    ).filter((id) => id.startsWith('d-3-') || id.slice(4).startsWith('0100'))
    expect(whole).toEqual(expected.toSorted())
    const paged: string[] = []
    let next: string | undefined = '?limit=300'
    let pages = 0
    for (; next !== undefined; pages++) {
      const { body, headers }: ApiResponse<{ ap_id: string }[]> = await environment.get(
        `agent_details${next}`,
        token,
      )
      paged.push(...body.map(({ ap_id }) => ap_id))
      const link: string | null = headers.get('link')
      next = /^<\/api\/v1\/metrics\/agent_details(\?[^>]+)>; rel="next"$/.exec(link ?? '')?.[1]
      expect(next !== undefined).toBe(body.length === 300)
    }
    expect(paged).toEqual(whole)
    expect(pages).toBe(Math.ceil((expected.length + 1) / 300))
    expect(await details('?after=d-3-04000', token)).toEqual(whole.filter((id) => id > 'd-3-04000'))
    expect(await details('', await environment.createApp(uniqueName('sees none'), { agents: [] }))).toEqual(
      [],
    )
  })

  it('are forbidden for agents', async () => {
    expect(
      (await environment.get('agent_details', await environment.createAgent(uniqueName('curious')))).status,
    ).toBe(403)
  })

  it('can start after any text, also one that is no possible id', async () => {
    expect(await details('?limit=1&after=d-0-00000')).toEqual(['d-0-00005'])
    for (const after of ['%00', 'x&after=%00', '%F0%9F%9B%B0', "'; drop table agents --"])
      expect((await environment.get(`agent_details?limit=1&after=${after}`)).status).toBe(200)
  })

  const details = async (query: string, token = environment.adminToken): Promise<string[]> =>
    ((await environment.get(`agent_details${query}`, token)).body as { ap_id: string }[]).map(
      ({ ap_id }) => ap_id,
    )
})
