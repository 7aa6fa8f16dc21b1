import type { Attachment, Client } from '@manc/sdk'
import { expect, it } from 'vitest'
import { isHandover, lanesOf, movesOf, pathsOf, visitsOf } from './client-path.ts'

const startMs = Date.parse('2026-11-16T09:00:00Z')
const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString()
const period = (from: number, to: number) => ({ fromMs: Date.parse(at(from)), toMs: Date.parse(at(to)) })
const link = { signal_dbm: -60, snr_db: null, rate_mbps: 100 }

const attachment = (
  apId: string,
  technology: Attachment['technology'],
  [since, until]: [number, number],
  more: Partial<Attachment> = {},
): Attachment => ({
  ap_id: apId,
  technology,
  since: at(since),
  until: at(until),
  from_ap_id: null,
  ended: 'moved',
  ...link,
  ...more,
})

const client = (more: Partial<Client> = {}): Client => ({
  id: 'c1',
  is_attached: true,
  ap_id: 'lifi-1',
  technology: 'LiFi',
  since: at(30),
  from_ap_id: 'wifi-2',
  ended: null,
  ...link,
  ...more,
})

/** The newest first, as the controller sends them. */
const history = [
  attachment('wifi-2', 'WiFi', [20, 30], { from_ap_id: 'wifi-1' }),
  attachment('wifi-1', 'WiFi', [10, 20], { from_ap_id: '5g-1' }),
  attachment('5g-1', '5G', [0, 10]),
]
const nowMs = Date.parse(at(40))

it('the current attachment lasts until now, and is the newest', () => {
  const visits = visitsOf(client(), history, period(0, 40), nowMs)
  expect(visits.map(({ apId, ended }) => `${apId} ${ended}`)).toEqual([
    'lifi-1 null',
    'wifi-2 moved',
    'wifi-1 moved',
    '5g-1 moved',
  ])
  expect(visits[0]?.untilMs).toBe(nowMs)
})

it('an attachment that ended before the new access point reported the client ended by a move', () => {
  const endedOf = (ended: Attachment['ended'], from: string | null, [start, end] = [0, 40]) =>
    visitsOf(
      client({ from_ap_id: from }),
      [attachment('wifi-2', 'WiFi', [20, 29], { ended })],
      period(start ?? 0, end ?? 0),
      nowMs,
    ).at(-1)?.ended
  expect(endedOf('left', 'wifi-2')).toBe('moved')
  expect(endedOf('missing', 'wifi-2')).toBe('moved')
  // Also if the next attachment is not in the period.
  expect(endedOf('left', 'wifi-2', [20, 25])).toBe('moved')
  expect(endedOf('left', null)).toBe('left')
  expect(endedOf('dropped', 'wifi-2')).toBe('dropped')
})

it('a client that is not attached has ended attachments only', () => {
  const gone = client({ is_attached: false, ended: 'left' })
  expect(visitsOf(gone, history, period(0, 40), nowMs)).toHaveLength(3)
})

it('attachments that only touch the period are part of it, others are not', () => {
  const ids = (from: number, to: number) =>
    visitsOf(client(), history, period(from, to), nowMs).map(({ apId }) => apId)
  expect(ids(12, 18)).toEqual(['wifi-1'])
  expect(ids(15, 25)).toEqual(['wifi-2', 'wifi-1'])
  expect(ids(20, 22)).toEqual(['wifi-2', 'wifi-1'])
  expect(ids(-9, -1)).toEqual([])
})

it('an attachment by a clock that is ahead does not end before it begins', () => {
  const [visit] = visitsOf(client({ since: at(41) }), [], period(0, 45), nowMs)
  expect(visit).toMatchObject({ sinceMs: Date.parse(at(41)), untilMs: Date.parse(at(41)) })
})

it('a move between technologies is a handover', () => {
  const moves = movesOf(visitsOf(client(), history, period(0, 40), nowMs))
  expect(moves.map((move) => [move.fromApId, move.to.apId, isHandover(move)])).toEqual([
    ['wifi-2', 'lifi-1', true],
    ['wifi-1', 'wifi-2', false],
    ['5g-1', 'wifi-1', true],
  ])
})

it('of a move from before the period it is not known where it was', () => {
  const moves = movesOf(visitsOf(client(), history, period(15, 40), nowMs))
  expect(moves.at(-1)).toMatchObject({ fromApId: '5g-1', from: undefined })
  expect(moves.map(isHandover)).toEqual([true, false, false])
})

it('moves between the same access points are one path', () => {
  const there = attachment('b', 'WiFi', [10, 20], { from_ap_id: 'a' })
  const back = attachment('a', 'WiFi', [20, 30], { from_ap_id: 'b' })
  const again = attachment('b', 'WiFi', [30, 40], { from_ap_id: 'a' })
  const gone = client({ is_attached: false, ended: 'left' })
  const visits = visitsOf(gone, [again, back, there], period(0, 40), nowMs)
  expect(pathsOf(movesOf(visits))).toEqual([
    { from: 'a', to: 'b', count: 2 },
    { from: 'b', to: 'a', count: 1 },
  ])
})

it('lanes are technologies in their usual order, or access points by technology and id', () => {
  const visits = visitsOf(client(), history, period(0, 40), nowMs)
  expect(lanesOf('technology', visits).lanes.map(({ key }) => key)).toEqual(['5G', 'WiFi', 'LiFi'])
  expect(lanesOf('access-point', visits)).toMatchObject({
    lanes: [{ key: '5g-1' }, { key: 'wifi-1' }, { key: 'wifi-2' }, { key: 'lifi-1' }],
    hidden: 0,
  })
})

it('of many access points those that were used last have a lane', () => {
  const many = Array.from({ length: 20 }, (_, n) => attachment(`wifi-${n}`, 'WiFi', [19 - n, 20 - n]))
  const gone = client({ is_attached: false, ended: 'left' })
  const { lanes, hidden } = lanesOf('access-point', visitsOf(gone, many, period(0, 40), nowMs))
  expect([lanes.length, hidden, lanes[0]?.key, lanes.at(-1)?.key]).toEqual([16, 4, 'wifi-0', 'wifi-15'])
})
