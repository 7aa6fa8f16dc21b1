import type { FleetTableRow } from '@manc/sdk'
import { expect, it } from 'vitest'
import { idsBetween, type ReadRows, selectedRows, toCsv } from './export-csv.ts'
import { parseTable } from './table-search.ts'

const row = (more: Partial<FleetTableRow>): FleetTableRow => ({
  ap_id: 'a-1',
  name: 'Hall',
  technology: 'WiFi',
  state: 'online',
  since: '',
  last_seen: null,
  position: { latitude: 51.4545, longitude: -2.5879 },
  telemetry_interval_s: 1,
  health: 'good',
  health_since: '',
  reason: null,
  reasons: [],
  place: null,
  version: '1.0',
  is_emulated: false,
  clients: 3,
  load_pct: 12.5,
  throughput_mbps: null,
  throughput_down_mbps: null,
  throughput_up_mbps: null,
  packet_loss_pct: null,
  latency_ms: null,
  signal_quality: null,
  power_w: null,
  ...more,
})

it('a file has the id and the shown columns, with empty cells for missing values', () => {
  expect(toCsv([row({})], ['health', 'name', 'load_pct', 'power_w', 'place'])).toBe(
    'ap_id,health,name,load_pct,power_w,place\r\na-1,good,Hall,12.5,,"51.4545, -2.5879"\r\n',
  )
})

it('a name is quoted, and is no formula in a spreadsheet', () => {
  expect(toCsv([row({ name: '=1+1,"x"' })], ['name'])).toBe('ap_id,name\r\na-1,"\'=1+1,""x"""\r\n')
})

it('an access point that is online was last seen when the file was made', () => {
  const seen = '2026-01-02T03:04:05.000Z'
  const rows = [row({}), row({ state: 'offline', last_seen: seen }), row({ state: 'offline' })]
  expect(toCsv(rows, ['last_seen'], 0)).toBe(
    `ap_id,last_seen\r\na-1,1970-01-01T00:00:00.000Z\r\na-1,${seen}\r\na-1,\r\n`,
  )
})

/** A table of 12,000 rows; a search finds the ids that contain its text. */
const fleet = Array.from({ length: 12_000 }, (_, n) => row({ ap_id: `ap-${n}` }))
const read: ReadRows = async ({ search = '', offset = 0, limit = 100 }) => {
  const matching = fleet.filter(({ ap_id: apId }) => apId.includes(search))
  return { rows: matching.slice(offset, offset + limit), total: matching.length }
}

it('rows that were selected with another filter are exported too', async () => {
  const selection = { isAll: false, ids: new Set(['ap-7', 'ap-11999']) }
  const idsOf = async (q: string) =>
    (await selectedRows(read, parseTable({ q }), selection)).map(({ ap_id: apId }) => apId)
  expect(await idsOf('ap-7')).toEqual(['ap-7', 'ap-11999'])
  expect(await idsOf('')).toEqual(['ap-7', 'ap-11999'])
})

it('the ids of any number of rows are read', async () => {
  const ids = await idsBetween(read, parseTable({}), 10, 11_009)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([11_000, 'ap-10', 'ap-11009'])
  expect(await idsBetween(read, parseTable({}), 11_998, 13_000)).toEqual(['ap-11998', 'ap-11999'])
})
