import { maxReportedClients } from '@manc/contract'
import { expect, it } from 'vitest'
import { readReport } from './client-reports.format.ts'

const nowMs = Date.UTC(2026, 0, 1)
const read = (message: unknown) => readReport(JSON.stringify(message), nowMs)

it('reads clients, with one spelling for MAC addresses', () => {
  const since = new Date(nowMs - 5000).toISOString()
  expect(
    read({
      snapshot: true,
      joined: [{ client: 'AA-bb-CC-00-11-22', since, signal_dbm: -60, rate_mbps: 100 }],
      left: [{ client: 'ue-7', reason: 'dropped' }],
    }),
  ).toEqual({
    isSnapshot: true,
    joined: [
      { name: 'aa:bb:cc:00:11:22', sinceMs: nowMs - 5000, signalDbm: -60, snrDb: null, rateMbps: 100 },
    ],
    left: [{ name: 'ue-7', atMs: nowMs, reason: 'dropped' }],
    rejected: 0,
  })
})

it.each([
  'no json',
  'null',
  '[]',
  '7',
  '{"joined":{}}',
  '{"left":7}',
  JSON.stringify({ joined: Array.from({ length: maxReportedClients + 1 }, () => ({ client: 'x' })) }),
])('does not read what is no message', (text) => {
  expect(readReport(text, nowMs)).toBeUndefined()
})

it('leaves out and counts entries without a usable name', () => {
  const names = ['', 'with space', 'nul\0', 'x'.repeat(129), 7, null, ['a'], 'line\nbreak']
  const message = { joined: [...names.map((client) => ({ client })), null, 7, { client: 'ok' }] }
  expect(read(message)).toMatchObject({ joined: [{ name: 'ok' }], rejected: names.length + 2 })
})

it('replaces times in the future and impossible values', () => {
  const entry = {
    client: 'a',
    since: '2100-01-01T00:00:00Z',
    signal_dbm: 1e300,
    rate_mbps: '7',
    snr_db: null,
  }
  expect(read({ joined: [entry], left: [{ client: 'b', at: 'yesterday', reason: 'whim' }] })).toMatchObject({
    joined: [{ sinceMs: nowMs, signalDbm: null, snrDb: null, rateMbps: null }],
    left: [{ atMs: nowMs, reason: 'left' }],
  })
})

it('reads what a client measures, with at most eight access points that have an id and a signal', () => {
  const measurementOf = (more: object) => read({ joined: [{ client: 'a', ...more }] })?.joined[0]?.measurement
  expect(measurementOf({})).toBeUndefined()
  expect(measurementOf({ throughput_mbps: 2.5 })).toEqual({ throughputMbps: 2.5, heard: null })
  expect(measurementOf({ heard: { 'wifi-1': -61.5, 'no id': -60, 'wifi-2': 'loud', 'lifi-1': 22 } })).toEqual(
    {
      throughputMbps: null,
      heard: { 'wifi-1': -61.5, 'lifi-1': 22 },
    },
  )
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`wifi-${n}`, -50 - n]))
  expect(Object.keys(measurementOf({ heard: many })?.heard ?? {})).toEqual(Object.keys(many).slice(0, 8))
  for (const heard of [null, 7, [], 'wifi-1']) expect(measurementOf({ heard })).toBeUndefined()
})
