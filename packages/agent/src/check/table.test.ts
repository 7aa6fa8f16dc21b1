import { describe, expect, it } from 'vitest'
import { readingTable } from './table.ts'

describe('the table of a reading', () => {
  it('has units, and the KPI that each metric feeds', () => {
    const readings = { clients: 3, load_pct: 12.5, snr_db: 22.5, rssi_dbm: -61, uptime_s: 17, ssid: 'office' }
    expect(readingTable(readings, 'WiFi')).toEqual([
      'METRIC    VALUE   UNIT  KPI',
      'clients   3             clients',
      'load_pct  12.5    %     load_pct',
      'snr_db    22.5    dB    signal_quality = 0.5',
      'rssi_dbm  -61     dBm',
      'uptime_s  17      s',
      'ssid      office        attribute',
    ])
  })

  it('does not pass control characters of a device on to the terminal', () => {
    expect(readingTable({ ssid: 'a\u001b[2Jb\nc\u009bd' }, 'WiFi')).toEqual([
      'METRIC  VALUE       UNIT  KPI',
      'ssid    a�[2Jb�c�d        attribute',
    ])
  })

  it('names no KPI where the technology does not say how to convert', () => {
    expect(readingTable({ snr_db: 22.5 }, 'other')).toEqual(['METRIC  VALUE  UNIT  KPI', 'snr_db  22.5   dB'])
  })
})
