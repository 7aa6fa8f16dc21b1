import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect, inject } from 'vitest'

const it = test.override('variables', { MANC_ROLES: 'api,subscriber,ingester' })

let environment: TestEnvironment
const soon = { timeout: 60_000, interval: 50 }
const maxBytes = 16_384

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function newAgent(prefix: string): Promise<{ name: string; token: string }> {
  const name = uniqueName(prefix)
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  return { name, token: await tokenOf(environment.url, 'agent', name, 'p') }
}

const update = (token: string, body: unknown) =>
  environment.request('POST', '/api/v1/agent_update/update', body, token)

async function attributesOf(name: string): Promise<string> {
  const [row] = await environment.sql('select attributes from agent_attributes where ap_id = $1', [name])
  return row?.attributes ?? ''
}

async function rejectedOf(name: string): Promise<number> {
  const [row] = await environment.sql(
    'select sum(samples)::int as samples from refused_samples where ap_id = $1',
    [name],
  )
  return row.samples ?? 0
}

/** About 15 KiB of text attributes. */
const freshAttributes = (prefix: string) =>
  Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`${prefix}_${n}`, 'x'.repeat(80)]))

it('an agent that sends new attributes all the time cannot grow its row in the database', async () => {
  const rounds = 10
  const { name, token } = await newAgent('grower')
  const start = Date.now() - 60_000
  for (let round = 1; round <= rounds; round++) {
    const payload = { round, ...freshAttributes(`r${round}`) }
    expect((await update(token, { ts: start + round, payload })).status).toBe(200)
    // Changes are written once a second: each is either in the row or refused.
    await expect
      .poll(
        async () =>
          (await attributesOf(name)).includes(`r${round}_`) || (await rejectedOf(name)) >= round - 1,
        soon,
      )
      .toBe(true)
  }
  expect(Buffer.byteLength(await attributesOf(name))).toBeLessThanOrEqual(maxBytes)
  expect(await rejectedOf(name)).toBe(rounds - 1)
  // The metrics of the same samples are stored.
  const url = new URL('/api/v1/export', inject('engines').victoria)
  url.searchParams.set('match[]', `{__name__="round",ap_id="${name}"}`)
  const stored = async () => JSON.parse((await (await fetch(url)).text()) || '{}').values
  await expect.poll(stored, soon).toEqual(Array.from({ length: rounds }, (_, n) => n + 1))
})

it('an agent with full attributes can still change their values, and its status is stored', async () => {
  const { name, token } = await newAgent('full')
  const full = freshAttributes('kept')
  await update(token, { payload: full })
  await expect.poll(() => attributesOf(name), soon).toContain('kept_149')
  await update(token, { payload: freshAttributes('refused') })
  await expect.poll(() => rejectedOf(name), soon).toBe(1)
  await update(token, { payload: { ...full, kept_0: 'changed' } })
  await expect.poll(() => attributesOf(name), soon).toContain('changed')
  expect(await attributesOf(name)).not.toContain('refused_')
})

it('attributes that are too large for one message are refused and counted, and its metrics are stored', async () => {
  const { name, token } = await newAgent('large')
  await update(token, { payload: { clients: 1, text: 'x'.repeat(maxBytes) } })
  await expect.poll(() => rejectedOf(name), soon).toBe(1)
  expect(await attributesOf(name)).toBe('')
})
