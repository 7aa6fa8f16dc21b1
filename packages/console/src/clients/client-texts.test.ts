import { expect, it } from 'vitest'
import type { Visit } from './client-path.ts'
import {
  endExplanation,
  endText,
  heardRows,
  pathText,
  rateText,
  signalText,
  stateText,
} from './client-texts.ts'

const link = { signal_dbm: null, snr_db: null, rate_mbps: null }

it('a signal has the unit of its technology', () => {
  expect(signalText({ ...link, signal_dbm: -61.4 })).toBe('-61 dBm')
  expect(signalText({ ...link, snr_db: 24.46 })).toBe('24.5 dB SNR')
  expect(signalText(link)).toBeUndefined()
})

it('a rate has a unit', () => {
  expect([rateText({ ...link, rate_mbps: 433.3 }), rateText(link)]).toEqual(['433.3 Mbit/s', undefined])
})

it('a client is attached, or the state says why it is not', () => {
  expect([stateText({ ended: null }), stateText({ ended: 'dropped' })]).toEqual([
    'attached',
    'connection lost',
  ])
})

it('a reason of a later version is shown as it is', () => {
  const unknown = 'teleported' as 'left'
  expect([endText(unknown), endExplanation(unknown)]).toEqual(['teleported', ''])
})

it('a path is summed up by its attachments, handovers, moves and lost connections', () => {
  const visit = (technology: Visit['technology'], ended: Visit['ended']): Visit => ({
    apId: technology,
    technology,
    sinceMs: 0,
    untilMs: 1,
    fromApId: null,
    ended,
    ...link,
  })
  const [fiveG, wifi, gone] = [visit('5G', 'moved'), visit('WiFi', 'moved'), visit('WiFi', 'dropped')]
  const move = (from: Visit | undefined, to: Visit) => ({ atMs: 0, fromApId: 'x', from, to })
  const moves = [move(fiveG, wifi), move(wifi, gone), move(undefined, fiveG)]
  expect(pathText([gone, wifi, fiveG], moves)).toBe(
    '3 attachments, 1 handover, 1 move within a technology, 1 lost connection',
  )
  expect(pathText([wifi], [])).toBe('1 attachment, 0 handovers')
})

it('heard access points are in the order of technologies and signals, with their units', () => {
  const technologies: Record<string, string> = { lamp: 'LiFi', near: 'WiFi', far: 'WiFi', cell: '5G' }
  const rows = heardRows({ cell: -95, far: -71.4, lamp: 24.52, near: -50 }, (apId) => technologies[apId])
  expect(rows.map(({ apId, text }) => [apId, text])).toEqual([
    ['lamp', '24.5 dB SNR'],
    ['near', '-50 dBm'],
    ['far', '-71 dBm'],
    ['cell', '-95 dBm'],
  ])
})
