import type { FleetTableRow } from '@manc/sdk'
import { expect, it } from 'vitest'
import { toCsv } from './export-csv.ts'

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
  expect(toCsv([row({})], ['health', 'name', 'load_pct', 'power_w', 'place', 'last_seen'])).toBe(
    'ap_id,health,name,load_pct,power_w,place,last_seen\r\na-1,good,Hall,12.5,,"51.4545, -2.5879",now\r\n',
  )
})

it('a name is quoted, and is no formula in a spreadsheet', () => {
  expect(toCsv([row({ name: '=1+1,"x"' })], ['name'])).toBe('ap_id,name\r\na-1,"\'=1+1,""x"""\r\n')
})
