import type { Alarm, AlarmRule, AlarmSummary, Silence } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts } from './agents.ts'

const it = test.override('variables', {
  MANC_SILENCES: '40',
  MANC_SILENCES_PER_OWNER: '30',
  MANC_SILENCE_PATTERNS: '120',
  MANC_SILENCE_PATTERNS_PER_OWNER: '100',
})

let environment: TestEnvironment
let rule: AlarmRule
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // On a slow machine agents of these tests are offline for as long as this rule requires.
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
  rule = await createRule()
})

async function createRule(): Promise<AlarmRule> {
  const condition = { metric: 'clients', raise_op: '>=', raise_threshold: 100, raise_for_s: 0 }
  const created = { name: uniqueName('rule'), severity: 'warning', ...condition }
  return (await environment.request('POST', '/api/v1/alarm_rules', created)).body
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Windows of a day on every day: one is always active. */
const always = { days: everyDay, at: '00:00', duration_min: 1440, time_zone: 'Europe/Berlin' }

const post = (more: object, token?: string) =>
  environment.request('POST', '/api/v1/silences', { comment: 'works', ends_at: inHours(2), ...more }, token)

async function silence(more: object): Promise<Silence> {
  const { status, body } = await post(more)
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

async function end({ id }: { id: string }): Promise<void> {
  expect((await environment.request('DELETE', `/api/v1/silences/${id}`)).status).toBe(200)
}

/** An agent with an open alarm. */
async function alarmed(technology = 'WiFi', of = rule): Promise<string> {
  const apId = await onlineAgent(environment, technology)
  await postAlerts(environment, [alertOf(apId, of)])
  return apId
}

async function alarmsOf(apId: string, query = 'state=open', url?: string): Promise<Alarm[]> {
  const path = `/api/v1/alarms?${query}&ap_id=${apId}`
  if (url === undefined) return (await environment.request('GET', path)).body
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${environment.adminToken}` } })
  return (await response.json()) as Alarm[]
}

/** By both ways: each row of the list, and its filter. */
async function isSilenced(apId: string): Promise<boolean> {
  const [alarm] = await alarmsOf(apId)
  const [found, others] = [await alarmsOf(apId, 'silenced=true'), await alarmsOf(apId, 'silenced=false')]
  expect([found.length, others.length]).toEqual(alarm?.is_silenced ? [1, 0] : [0, 1])
  expect(alarm?.silenced_until !== null).toBe(alarm?.is_silenced)
  return alarm?.is_silenced === true
}

const summary = async (): Promise<AlarmSummary> =>
  (await environment.request('GET', '/api/v1/alarms/summary')).body

describe('a silence', () => {
  it('silences open and later alarms until it ends, and they are raised and cleared as usual', async () => {
    const before = await summary()
    const apId = await alarmed()
    expect((await summary()).warning.unacknowledged).toBe(before.warning.unacknowledged + 1)
    const ends = inHours(3)
    const made = await silence({ ap_ids: [apId], ends_at: ends })
    expect(made).toMatchObject({ state: 'active', active_until: ends, next_start_at: null, recurrence: null })
    expect(await alarmsOf(apId)).toMatchObject([{ is_silenced: true, silenced_until: ends, state: 'open' }])
    const { warning } = await summary()
    expect(warning).toEqual({ ...before.warning, silenced: before.warning.silenced + 1 })
    const later = await createRule()
    await postAlerts(environment, [alertOf(apId, later)])
    expect(await alarmsOf(apId)).toMatchObject([
      { rule_id: later.id, is_silenced: true },
      { rule_id: rule.id, is_silenced: true },
    ])
    await environment.request('DELETE', `/api/v1/alarm_rules/${later.id}`)
    expect(await alarmsOf(apId, 'state=cleared')).toMatchObject([
      { is_silenced: false, silenced_until: null },
    ])
    await end(made)
    expect(await isSilenced(apId)).toBe(false)
  })

  it('that starts later does not silence yet', async () => {
    const apId = await alarmed()
    const starts = inHours(1)
    const made = await silence({ ap_ids: [apId], starts_at: starts })
    expect(made).toMatchObject({ state: 'scheduled', active_until: null, next_start_at: starts })
    expect(await isSilenced(apId)).toBe(false)
    await environment.sql(`update silences set starts_at = now() where id = $1`, [made.id])
    expect(await isSilenced(apId)).toBe(true)
    await end(made)
  })

  it('that recurs silences within its windows, also without an end', async () => {
    const apId = await alarmed()
    const made = await silence({ ap_ids: [apId], ends_at: null, recurrence: always })
    expect(made).toMatchObject({ state: 'active', ends_at: null, recurrence: always })
    expect(await isSilenced(apId)).toBe(true)
    await end(made)
    // Of a day that is neither today, nor yesterday, nor the day before.
    const [{ day }] = await environment.sql(
      `select extract(isodow from now() + interval '3 days')::int - 1 as day`,
    )
    const other = await silence({
      ap_ids: [apId],
      ends_at: null,
      recurrence: { ...always, days: [everyDay[day]], time_zone: 'UTC' },
    })
    expect(other).toMatchObject({ state: 'scheduled', active_until: null })
    expect(Date.parse(other.next_start_at ?? '')).toBeGreaterThan(Date.now())
    expect(await isSilenced(apId)).toBe(false)
    await end(other)
  })

  it('of a time zone that the database has no more does not affect other silences', async () => {
    const apId = await alarmed()
    const [lost, other] = [
      await silence({ ap_ids: [apId], recurrence: always }),
      await silence({ ap_ids: ['other'] }),
    ]
    await environment.sql(`update silences set time_zone = 'Europe/Nowhere' where id = $1`, [lost.id])
    expect(await isSilenced(apId)).toBe(false)
    const { body } = await environment.request('GET', '/api/v1/silences')
    expect((body as Silence[]).find(({ id }) => id === lost.id)).toMatchObject({ state: 'scheduled' })
    await end(lost)
    await end(other)
  })

  it.for([
    ['an id', ({ apId }) => ({ ap_ids: ['other', apId] }), true],
    ['a pattern', ({ apId }) => ({ ap_ids: [`${apId.slice(0, -1)}*`] }), true],
    ['a pattern without a known start', ({ apId }) => ({ ap_ids: [`*${apId.slice(4)}`] }), true],
    ['another pattern', ({ apId }) => ({ ap_ids: [`${apId}-*`, `x${apId}`] }), false],
    ['a pattern with _, which is no wildcard', ({ apId }) => ({ ap_ids: [`_${apId.slice(1)}`] }), false],
    ['the technology', () => ({ technologies: ['LiFi'] }), true],
    ['another technology', () => ({ technologies: ['5G', 'WiFi'] }), false],
    ['the rule', ({ ruleId }) => ({ rule_ids: ['load_pct.bad', ruleId] }), true],
    ['another rule', () => ({ rule_ids: ['load_pct.bad'] }), false],
    ['the rule of another technology', ({ ruleId }) => ({ rule_ids: [ruleId], technologies: ['5G'] }), false],
    ['the rule and technology', ({ ruleId }) => ({ rule_ids: [ruleId], technologies: ['LiFi'] }), true],
    ['the id and another rule', ({ apId }) => ({ ap_ids: [apId], rule_ids: ['load_pct.bad'] }), false],
    ['the id and rule', ({ apId, ruleId }) => ({ ap_ids: [apId], rule_ids: [ruleId] }), true],
    ['the id and another technology', ({ apId }) => ({ ap_ids: [apId], technologies: ['5G'] }), false],
    ['all', () => ({ ap_ids: ['*'] }), true],
  ] as [string, (of: { apId: string; ruleId: string }) => object, boolean][])(
    'of %s silences by its scope',
    async ([, scopeOf, expected]) => {
      const apId = await alarmed('LiFi')
      const made = await silence(scopeOf({ apId, ruleId: rule.id }))
      expect(await isSilenced(apId)).toBe(expected)
      await end(made)
      expect(await isSilenced(apId)).toBe(false)
    },
  )

  it('is shown with the last end where several silence an alarm', async () => {
    const apId = await alarmed()
    const last = inHours(5)
    const made = [
      await silence({ ap_ids: [apId], ends_at: last }),
      await silence({ technologies: ['WiFi'], ends_at: inHours(4) }),
    ]
    expect(await alarmsOf(apId)).toMatchObject([{ silenced_until: last }])
    for (const each of made) await end(each)
  })

  it('can be extended and shortened, but not after its end', async () => {
    const apId = await alarmed()
    const made = await silence({ ap_ids: [apId] })
    const path = `/api/v1/silences/${made.id}`
    const put = (body: object) => environment.request('PUT', path, body)
    const ends = inHours(9)
    expect((await put({ ends_at: ends })).body).toMatchObject({ ends_at: ends, comment: 'works' })
    expect((await put({ comment: 'more works' })).body).toMatchObject({
      ends_at: ends,
      comment: 'more works',
    })
    for (const wrong of [null, inHours(-1), inHours(24 * 367)])
      expect((await put({ ends_at: wrong })).status).toBe(422)
    await end(made)
    expect((await put({ ends_at: ends })).status).toBe(409)
    expect((await environment.request('DELETE', path)).status).toBe(409)
    for (const id of ['none', '00000000-0000-7000-8000-000000000000'])
      expect((await environment.request('DELETE', `/api/v1/silences/${id}`)).status).toBe(404)
    const ended = await environment.request('GET', '/api/v1/silences?state=ended')
    expect((ended.body as Silence[]).find(({ id }) => id === made.id)).toMatchObject({ state: 'ended' })
    const current = await environment.request('GET', '/api/v1/silences')
    expect((current.body as Silence[]).map(({ id }) => id)).not.toContain(made.id)
  })

  it('that has not started can be ended, and never starts', async () => {
    const made = await silence({ starts_at: inHours(1), ends_at: inHours(2) })
    await end(made)
    const { body } = await environment.request('GET', '/api/v1/silences?state=ended')
    expect((body as Silence[]).find(({ id }) => id === made.id)).toMatchObject({ next_start_at: null })
  })
})

it('silences are listed in pages', async () => {
  const made: Silence[] = []
  for (const n of [1, 2, 3]) made.push(await silence({ ap_ids: [`page-${n}`] }))
  const first = await environment.request('GET', '/api/v1/silences?limit=2&state=active')
  const link = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await environment.request('GET', link)
  const ids = [...first.body, ...second.body].map(({ id }) => id)
  expect(ids.slice(0, 3)).toEqual(made.map(({ id }) => id).toReversed())
  expect((await environment.request('GET', '/api/v1/silences?after=x')).status).toBe(422)
  for (const each of made) await end(each)
})

it('a silence of one replica silences alarms on another one at once', async () => {
  const other = await environment.startServer({ MANC_ROLES: 'api' })
  const apId = await alarmed()
  const made = await silence({ ap_ids: [apId] })
  expect(await alarmsOf(apId, 'silenced=true', other.url)).toHaveLength(1)
  await end(made)
  expect(await alarmsOf(apId, 'silenced=true', other.url)).toHaveLength(0)
})

describe('an app', () => {
  const tokenWith = async (agents: string[], scopes = ['alarms:read', 'alarms:write']) => {
    const app = { app_name: uniqueName('app'), api_key: 'k', permissions: { scopes, agents } }
    await environment.request('POST', '/api/v1/third_party_apps/', app)
    return tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
  }

  it('silences agents that its permissions cover, and no others', async () => {
    const prefix = uniqueName('site')
    const token = await tokenWith([`${prefix}-*`, 'one'])
    for (const apIds of [[], ['*'], [`${prefix}*`], [`${prefix}-1`, 'two'], ['*-1']]) {
      const { status, body } = await post({ ap_ids: apIds }, token)
      expect([status, body.detail]).toEqual([403, expect.stringContaining('Name agents in ap_ids')])
    }
    const made: Silence[] = []
    for (const apIds of [[`${prefix}-*`], [`${prefix}-1`, 'one']]) {
      const { status, body } = await post({ ap_ids: apIds }, token)
      expect(status).toBe(200)
      made.push(body)
    }
    const all = await tokenWith(['*'])
    const everywhere = await post({}, all)
    expect(everywhere.status).toBe(200)
    for (const each of [...made, everywhere.body]) await end(each)
  })

  it('needs the scope, sees silences of its agents, and changes its own', async () => {
    const prefix = uniqueName('site')
    const reads = await tokenWith([`${prefix}-*`], ['alarms:read'])
    const writes = await tokenWith([`${prefix}-*`])
    expect((await post({ ap_ids: [`${prefix}-1`] }, reads)).status).toBe(403)
    const own = (await post({ ap_ids: [`${prefix}-1`] }, writes)).body as Silence
    const covered = await silence({ ap_ids: [`${prefix}-2`] })
    const others = [
      await silence({ ap_ids: ['elsewhere', `${prefix}-3`] }),
      await silence({ rule_ids: [rule.id] }),
    ]
    const seen = async (token: string) =>
      ((await environment.request('GET', '/api/v1/silences', undefined, token)).body as Silence[]).map(
        ({ id }) => id,
      )
    expect(await seen(reads)).toEqual([covered.id, own.id])
    expect(await seen(writes)).toEqual([covered.id, own.id])
    const change = async (id: string) => [
      (await environment.request('PUT', `/api/v1/silences/${id}`, { comment: 'mine' }, writes)).status,
      (await environment.request('DELETE', `/api/v1/silences/${id}`, undefined, writes)).status,
    ]
    expect(await change(covered.id)).toEqual([403, 403])
    for (const { id } of others) expect(await change(id)).toEqual([404, 404])
    expect(await change(own.id)).toEqual([200, 200])
    for (const each of [covered, ...others]) await end(each)
  })
})

it('silences beyond the limits are refused, also by several requests at a time, until one ends', async () => {
  const token = await (async () => {
    const app = { app_name: uniqueName('app'), api_key: 'k', permissions: { scopes: ['alarms:write'] } }
    await environment.request('POST', '/api/v1/third_party_apps/', app)
    return tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
  })()
  /** Most of them one after another, the last four at once. */
  const many = async (count: number, by?: string) => {
    const one = () => post({ ap_ids: ['limit'] }, by)
    const replies: Awaited<ReturnType<typeof one>>[] = []
    while (replies.length < count - 4) replies.push(await one())
    const atOnce = Array.from({ length: count - replies.length }, one)
    replies.push(...(await Promise.all(atOnce)))
    return {
      statuses: replies.map(({ status }) => status),
      made: replies.filter(({ status }) => status === 200),
    }
  }
  await environment.sql('update silences set ends_at = now() where ends_at is null or ends_at > now()')
  const own = await many(32)
  expect(own.statuses.filter((status) => status === 409)).toHaveLength(2)
  const others = await many(12, token)
  expect(others.statuses.filter((status) => status === 409)).toHaveLength(2)
  expect((await many(1)).statuses).toEqual([409])
  await end(own.made[0]?.body)
  expect((await many(1)).statuses).toEqual([200])
  await environment.sql('delete from silences')
})

it('id patterns of silences beyond the limits are refused until a silence ends', async () => {
  await environment.sql('update silences set ends_at = now() where ends_at is null or ends_at > now()')
  const patterns = (count: number) => ({ ap_ids: Array.from({ length: count }, (_, n) => `pattern-${n}`) })
  const made = [await silence(patterns(40)), await silence(patterns(40))]
  const { status, body } = await post(patterns(21))
  expect([status, body.detail]).toEqual([409, expect.stringContaining('You have created 80 id patterns')])
  // Without patterns, or with as many as are left.
  made.push(await silence({ technologies: ['5G'] }), await silence(patterns(20)))
  const app = { app_name: uniqueName('app'), api_key: 'k', permissions: { scopes: ['alarms:write'] } }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
  const other = await post(patterns(21), token)
  expect([other.status, other.body.detail]).toEqual([
    409,
    expect.stringContaining('There are 100 id patterns'),
  ])
  for (const each of made) await end(each)
  expect((await post(patterns(21), token)).status).toBe(200)
  await environment.sql('delete from silences')
})

it('a change of the comment alone does not change the end', async () => {
  const made = await silence({ ap_ids: ['comment'] })
  const ends = inHours(7)
  const put = (body: object) => environment.request('PUT', `/api/v1/silences/${made.id}`, body)
  await Promise.all([put({ ends_at: ends }), ...Array.from({ length: 3 }, () => put({ comment: 'other' }))])
  const { body } = await environment.request('GET', '/api/v1/silences')
  expect((body as Silence[]).find(({ id }) => id === made.id)).toMatchObject({
    ends_at: ends,
    comment: 'other',
  })
  await end(made)
})

it('silences that ended long ago are deleted', async () => {
  const made = await silence({ ap_ids: ['old'] })
  await end(made)
  await environment.sql(`update silences set ends_at = now() - interval '91 days' where id = $1`, [made.id])
  const { body } = await environment.request('GET', '/api/v1/silences?state=ended')
  expect((body as Silence[]).map(({ id }) => id)).toContain(made.id)
  // Every minute, and at the start.
  await environment.startServer()
  await expect
    .poll(() => environment.sql('select from silences where id = $1', [made.id]), { timeout: 90_000 })
    .toHaveLength(0)
})
