import { test } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import { migrate, Postgres, sql } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { activeUntil, nextStart } from '../../src/modules/silences/windows.store.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
let postgres: Postgres

it.beforeAll(async ({ environment: { databaseUrl: url } }) => {
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 1, log, metrics: new Metrics(log), timeoutMs: 20_000 })
})
afterAll(() => postgres?.stop())

interface Weekly {
  days: number[]
  at: string
  minutes: number
  zone: string
  from?: string
  to?: string
}

const [mon, sat, sun] = [1, 6, 7]
const shortOf = (time: Date | null) => time?.toISOString().slice(0, 16) ?? null

/** When the window that is active at a time ends, and when the next one starts. Times are UTC. */
async function windowsAt(time: string, { days, at, minutes, zone, from, to }: Weekly) {
  const now = sql`${`${time}Z`}::timestamptz`
  // Materialised, as rows of the table are: the values are no constants of the statement.
  const { rows } = await sql<{ until: Date | null; next: Date | null }>`
    with s as materialized (select ${days}::smallint[] as days, ${at}::time as start_time, ${minutes}::int as duration_min,
      ${zone}::text as time_zone, ${`${from ?? '2020-01-01T00:00'}Z`}::timestamptz as starts_at,
      ${to === undefined ? null : `${to}Z`}::timestamptz as ends_at)
    select ${activeUntil(now)} as until, ${nextStart(now)} as next from s
  `.execute(postgres.db)
  const [{ until, next } = { until: null, next: null }] = rows
  return [shortOf(until), shortOf(next)]
}

const untilAt = async (time: string, weekly: Weekly) => (await windowsAt(time, weekly))[0]

describe('a weekly window', () => {
  const nights = { days: [sat, sun], at: '02:00', minutes: 90, zone: 'Europe/Berlin' }

  it('is active from its start, and no longer at its end', async () => {
    // In winter Berlin is an hour ahead of UTC.
    expect(await windowsAt('2026-01-10T00:59', nights)).toEqual([null, '2026-01-10T01:00'])
    expect(await windowsAt('2026-01-10T01:00', nights)).toEqual(['2026-01-10T02:30', '2026-01-11T01:00'])
    expect(await windowsAt('2026-01-10T02:29', nights)).toEqual(['2026-01-10T02:30', '2026-01-11T01:00'])
    expect(await windowsAt('2026-01-10T02:30', nights)).toEqual([null, '2026-01-11T01:00'])
    expect(await windowsAt('2026-01-12T01:30', nights)).toEqual([null, '2026-01-17T01:00'])
  })

  it('that begins before midnight lasts into the next day', async () => {
    const late = { days: [sat], at: '23:00', minutes: 180, zone: 'Europe/Berlin' }
    expect(await untilAt('2026-01-10T21:59', late)).toBe(null)
    expect(await untilAt('2026-01-10T22:00', late)).toBe('2026-01-11T01:00')
    expect(await untilAt('2026-01-11T00:59', late)).toBe('2026-01-11T01:00')
    expect(await untilAt('2026-01-11T01:00', late)).toBe(null)
  })

  it('starts on the day of its time zone, which may differ from that of UTC', async () => {
    const auckland = { days: [mon], at: '00:30', minutes: 60, zone: 'Pacific/Auckland' }
    expect(await windowsAt('2026-07-05T12:45', auckland)).toEqual(['2026-07-05T13:30', '2026-07-12T12:30'])
    const newYork = { days: [sun], at: '21:00', minutes: 60, zone: 'America/New_York' }
    expect(await windowsAt('2026-07-06T01:30', newYork)).toEqual(['2026-07-06T02:00', '2026-07-13T01:00'])
  })

  it('of 24 hours on all days is always active', async () => {
    const always = { days: [1, 2, 3, 4, 5, 6, 7], at: '00:00', minutes: 1440, zone: 'UTC' }
    for (const time of ['2026-01-01T00:00', '2026-01-01T12:00', '2026-01-01T23:59'])
      expect(await untilAt(time, always)).toBe('2026-01-02T00:00')
  })

  it('is active between the start and the end of its silence only', async () => {
    const some = { ...nights, from: '2026-01-10T01:30', to: '2026-01-11T01:45' }
    expect(await windowsAt('2026-01-10T01:15', some)).toEqual([null, '2026-01-10T01:30'])
    expect(await windowsAt('2026-01-10T01:30', some)).toEqual(['2026-01-10T02:30', '2026-01-11T01:00'])
    expect(await windowsAt('2026-01-11T01:30', some)).toEqual(['2026-01-11T01:45', null])
    expect(await windowsAt('2026-01-11T01:45', some)).toEqual([null, null])
    expect(await windowsAt('2025-12-01T00:00', some)).toEqual([null, '2026-01-10T01:30'])
  })

  it('of a time zone that the database does not have is never active', async () => {
    expect(await windowsAt('2026-01-10T01:30', { ...nights, zone: 'Europe/Nowhere' })).toEqual([null, null])
  })
})

describe('when the clock is put forward (Berlin, 2026-03-29, 02:00 to 03:00)', () => {
  it('a window keeps its local time', async () => {
    const morning = { days: [sat, sun, mon], at: '05:00', minutes: 60, zone: 'Europe/Berlin' }
    expect(await untilAt('2026-03-28T04:30', morning)).toBe('2026-03-28T05:00')
    expect(await untilAt('2026-03-29T03:30', morning)).toBe('2026-03-29T04:00')
    expect(await untilAt('2026-03-29T04:30', morning)).toBe(null)
  })

  it('a window has its whole duration', async () => {
    const night = { days: [sun], at: '01:30', minutes: 90, zone: 'Europe/Berlin' }
    expect(await untilAt('2026-03-29T01:59', night)).toBe('2026-03-29T02:00')
  })

  it('a window that starts in the skipped hour starts an hour later by the clock', async () => {
    const night = { days: [sun], at: '02:30', minutes: 60, zone: 'Europe/Berlin' }
    expect(await windowsAt('2026-03-29T01:29', night)).toEqual([null, '2026-03-29T01:30'])
    expect(await windowsAt('2026-03-29T01:30', night)).toEqual(['2026-03-29T02:30', '2026-04-05T00:30'])
  })

  it('a window of 24 hours may last until the second day after its start', async () => {
    const day = { days: [sat], at: '23:30', minutes: 1440, zone: 'Europe/Berlin' }
    expect(await untilAt('2026-03-29T22:15', day)).toBe('2026-03-29T22:30')
  })
})

describe('when the clock is put back (Berlin, 2026-10-25, 03:00 to 02:00)', () => {
  it('a window keeps its local time and its whole duration', async () => {
    const night = { days: [sun], at: '01:30', minutes: 120, zone: 'Europe/Berlin' }
    expect(await windowsAt('2026-10-24T23:29', night)).toEqual([null, '2026-10-24T23:30'])
    expect(await windowsAt('2026-10-25T01:29', night)).toEqual(['2026-10-25T01:30', '2026-11-01T00:30'])
    expect(await untilAt('2026-10-25T01:30', night)).toBe(null)
  })

  it('a window that starts in the hour that occurs twice starts once, in the second', async () => {
    const night = { days: [sun], at: '02:30', minutes: 30, zone: 'Europe/Berlin' }
    expect(await windowsAt('2026-10-25T00:45', night)).toEqual([null, '2026-10-25T01:30'])
    expect(await untilAt('2026-10-25T01:45', night)).toBe('2026-10-25T02:00')
  })
})
