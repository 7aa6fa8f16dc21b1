import type { TestEnvironment } from '@manc/harness'
import { uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import pg from 'pg'
import { afterAll, describe, expect } from 'vitest'
import { migrate, Postgres } from '../../src/engines/postgres.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import {
  createEventsModule,
  type EventRow,
  type EventService,
  healthEvent,
  onboardedEvent,
  positionOf,
  presenceEvent,
} from '../../src/modules/events/index.ts'

const it = test.override('withServer', false)
const log = createLog('silent')

let environment: TestEnvironment
let postgres: Postgres
let metrics: Metrics
let events: EventService

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const url = environment.databaseUrl
  await migrate(url, log)
  metrics = new Metrics(log)
  postgres = new Postgres({ url, connections: 4, log, metrics, timeoutMs: 20_000 })
  events = newEvents().events
  await events.sweep()
})
afterAll(() => postgres?.stop())

function newEvents(settings: { perHour?: number; days?: number } = {}) {
  const own = new Metrics(log)
  const config = {
    MANC_AGENT_EVENTS_PER_HOUR: settings.perHour ?? 1_000_000,
    MANC_EVENT_DAYS: settings.days ?? 30,
  }
  return createEventsModule({ config, log, postgres, limits: new Limits(own), metrics: own })
}

const everything = { patterns: undefined, emulated: 'all' as const, owner: '', hiddenKinds: [] }
const listed = (apId: string, limit = 1000) => events.page({ view: everything, apId }, undefined, limit)

/** Until the horizon has passed them: open transactions of other databases in the cluster hold it back. */
async function followed(from: Awaited<ReturnType<typeof events.following>>['horizon'], count: number) {
  const found: EventRow[] = []
  let after = from
  const read = async () => {
    for (;;) {
      const { events: page, horizon } = await events.following(after, 100)
      found.push(...page)
      const last = page.at(-1)
      after = page.length === 100 && last ? positionOf(last) : horizon
      if (page.length < 100) return found.length
    }
  }
  await expect.poll(read, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  return found
}

describe('events', () => {
  it('are appended in one statement, in order, and committed with the change or not at all', async () => {
    const apId = uniqueName('ap')
    await postgres.transaction((tx) =>
      events.append(tx, [
        onboardedEvent(apId),
        presenceEvent(apId, 'online'),
        healthEvent(apId, { from: 'good', to: 'degraded', reasons: [] }),
      ]),
    )
    await expect(
      postgres.transaction(async (tx) => {
        await events.append(tx, [presenceEvent(apId, 'offline')])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect((await listed(apId)).map(({ kind }) => kind)).toEqual(['health', 'online', 'onboarded'])
  })

  it('are found once and in commit order by a follower, also of a transaction that commits late', async () => {
    const [late, early] = [uniqueName('late'), uniqueName('early')]
    const { horizon: start } = await events.following(undefined, 1)
    const writer = new pg.Client({ connectionString: environment.databaseUrl })
    await writer.connect()
    let seen: EventRow[]
    let next: typeof start
    try {
      await writer.query('begin')
      await writer.query(
        `insert into events (kind, severity, ap_id, data) values ('online', 'info', $1, '{}')`,
        [late],
      )
      // Begun later, and committed before it.
      for (let n = 0; n < 5; n++) await events.append(postgres.db, [presenceEvent(early, 'online')])
      const page = await events.following(start, 1000)
      seen = page.events
      next = page.horizon
      expect(seen.map(({ apId }) => apId)).not.toContain(early)
      await writer.query('commit')
    } finally {
      await writer.end()
    }
    const rest = await followed(next, 6)
    const ofThis = [...seen, ...rest].filter(({ apId }) => apId === late || apId === early)
    expect(ofThis.map(({ apId }) => apId)).toEqual([late, ...Array.from({ length: 5 }, () => early)])
  })

  it('are all in pages while others are inserted', async () => {
    const apId = uniqueName('paged')
    const appendTen = () =>
      events.append(
        postgres.db,
        Array.from({ length: 10 }, () => presenceEvent(apId, 'online')),
      )
    for (let n = 0; n < 10; n++) await appendTen()
    const before = (await listed(apId)).map(({ seq }) => seq)
    const found: string[] = []
    for (let page = await listed(apId, 7); ; ) {
      found.push(...page.map(({ seq }) => seq))
      await appendTen()
      const last = page.at(-1)
      if (!last) break
      page = await events.page({ view: everything, apId }, positionOf(last), 7)
    }
    expect(found).toEqual(before)
  })

  it('of many days are listed newest first, in pages and between two times', async () => {
    const apId = uniqueName('old')
    // Of each 9 hours, with several at the same time. Those of earlier days are in the default partition.
    await environment.sql(
      `insert into events (at, kind, severity, ap_id, data)
       select date_trunc('milliseconds', now() - make_interval(hours => 9 * (n / 2))), 'online', 'info', $1, '{}'
       from generate_series(0, 199) as n`,
      [apId],
    )
    const all = (await environment.sql(
      'select at, seq::text as seq from events where ap_id = $1 order by at desc, events.seq desc',
      [apId],
    )) as { at: Date; seq: string }[]
    const seqsOf = (rows: readonly { seq: string }[]) => rows.map(({ seq }) => seq)
    expect(seqsOf(await listed(apId))).toEqual(seqsOf(all))
    const found: string[] = []
    for (let page = await listed(apId, 13), last = page.at(-1); last; last = page.at(-1)) {
      found.push(...seqsOf(page))
      page = await events.page({ view: everything, apId }, positionOf(last), 13)
    }
    expect(found).toEqual(seqsOf(all))
    for (const [from = new Date(), to = new Date()] of [
      [all[190]?.at, all[7]?.at],
      [all[30]?.at, all[21]?.at],
    ]) {
      const between = all.filter(({ at }) => at >= from && at <= to)
      const filter = { view: everything, apId, kinds: ['online' as const], from, to }
      expect(seqsOf(await events.page(filter, undefined, 1000))).toEqual(seqsOf(between))
      expect(seqsOf(await events.page(filter, undefined, 3))).toEqual(seqsOf(between.slice(0, 3)))
    }
    // Another test creates the partitions of some of these days.
    await environment.sql('delete from events where ap_id = $1', [apId])
  })

  it('of one agent beyond the limit of an hour are one event with a count', async () => {
    const limited = newEvents({ perHour: 5 })
    const apId = uniqueName('toggling')
    for (let n = 0; n < 20; n++)
      await limited.events.append(postgres.db, [presenceEvent(apId, n % 2 === 0 ? 'online' : 'offline')])
    await limited.events.storeCounts()
    const rows = await listed(apId)
    expect(rows).toHaveLength(6)
    expect(rows[0]).toMatchObject({ kind: 'suppressed', data: { limit: 5, count: 15 } })
    // Another agent has a limit of its own.
    const other = uniqueName('other')
    await limited.events.append(postgres.db, [presenceEvent(other, 'online')])
    expect(await listed(other)).toHaveLength(1)
  })

  it('are kept for the retention time, and dropped with their partitions', async () => {
    const dayMs = 86_400_000
    const apId = uniqueName('old')
    for (const daysAgo of [1, 5, 9]) {
      const from = Math.floor(Date.now() / dayMs - daysAgo) * dayMs
      const at = (ms: number) => new Date(ms).toISOString()
      await environment.sql(
        `create table if not exists events_${from / 1000} partition of events
         for values from ('${at(from)}') to ('${at(from + dayMs)}')`,
      )
      await environment.sql(
        `insert into events (at, kind, severity, ap_id, data) values ($1, 'online', 'info', $2, '{}')`,
        [at(from + 1000), apId],
      )
    }
    // Without a partition: it is in the default one.
    await environment.sql(
      `insert into events (at, kind, severity, ap_id, data) values (now() - interval '20 days', 'online', 'info', $1, '{}')`,
      [apId],
    )
    expect(await listed(apId)).toHaveLength(4)
    await newEvents({ days: 6 }).events.sweep()
    expect(await listed(apId)).toHaveLength(2)
  })

  it('are appended although their partition is missing', async () => {
    const apId = uniqueName('default')
    const dayS = Math.floor(Date.now() / 86_400_000) * 86_400
    await environment.sql(`drop table events_${dayS}`)
    await events.append(postgres.db, [presenceEvent(apId, 'online')])
    expect(await listed(apId)).toHaveLength(1)
    expect(await environment.sql('select 1 from events_other where ap_id = $1', [apId])).toHaveLength(1)
  })

  it('have a position that is unknown after they have expired, and in another database', async () => {
    const apId = uniqueName('position')
    await events.append(postgres.db, [presenceEvent(apId, 'online')])
    const [row] = await listed(apId)
    if (!row) throw new Error('there is no event')
    const position = positionOf(row)
    expect(await events.isKnown(position)).toBe(true)
    expect(await events.isKnown({ ...position, seq: position.seq + 1000n })).toBe(false)
    expect(await events.isKnown({ ...position, seq: 0n, transaction: 2n ** 60n })).toBe(false)
    expect(await events.isKnown({ ...position, seq: 0n, atMs: position.atMs - 40 * 86_400_000 })).toBe(false)
  })
})
