import { describe, expect, it } from 'vitest'
import { Attachments, type Report } from './attachments.rules.ts'
import type { ClientRow } from './clients.types.ts'

const link = { signalDbm: -60, snrDb: null, rateMbps: 100 }
const takeRefresh = () => true

function report(apId: string, receivedS: number, more: Partial<Report> = {}): Report {
  return {
    apId,
    technology: apId.startsWith('lifi') ? 'LiFi' : 'WiFi',
    emulatedBy: null,
    receivedMs: receivedS * 1000,
    isSnapshot: false,
    joined: [],
    left: [],
    ...more,
  }
}

const joined = (apId: string, receivedS: number, sinceS = receivedS, id = 'c'): Report =>
  report(apId, receivedS, { joined: [{ id, sinceMs: sinceS * 1000, ...link }] })
const left = (
  apId: string,
  receivedS: number,
  atS = receivedS,
  reason: 'left' | 'dropped' | 'moved' = 'moved',
) => report(apId, receivedS, { left: [{ id: 'c', atMs: atS * 1000, reason }] })
const snapshot = (apId: string, receivedS: number, ids: Record<string, number>): Report =>
  report(apId, receivedS, {
    isSnapshot: true,
    joined: Object.entries(ids).map(([id, sinceS]) => ({ id, sinceMs: sinceS * 1000, ...link })),
  })

/** Applies the reports in their order. */
function after(...reports: Report[]) {
  const attachments = new Attachments({ clients: [], accessPoints: [], maxClients: 3, takeRefresh })
  for (const each of reports) attachments.apply(each)
  const rows = new Map([...attachments.changed].map((row): [string, ClientRow] => [row.id, row]))
  const row = rows.get('c')
  return {
    attachments,
    rows,
    at: row?.isAttached ? row.apId : undefined,
    history: attachments.ended.map(({ apId, ended }) => `${apId} ${ended}`),
    moves: attachments.moves.map(({ fromApId, apId }) => `${fromApId} → ${apId}`),
    counts: Object.fromEntries(
      attachments.changedAccessPoints.map(({ apId, clients }): [string, number] => [apId, clients]),
    ),
  }
}

describe('a client that moves', () => {
  const expected = { at: 'b', moves: ['a → b'], counts: { a: 0, b: 1 } }

  it('is at the new access point, whichever of the two reports first', () => {
    expect(after(joined('a', 10), left('a', 20), joined('b', 20))).toMatchObject(expected)
    expect(after(joined('a', 10), joined('b', 20), left('a', 20))).toMatchObject(expected)
    expect(after(joined('a', 10), joined('b', 20), left('a', 20)).history).toEqual(['a moved'])
  })

  it('stays there when older reports are delivered again, in any order', () => {
    const reports = [joined('a', 10), left('a', 20), joined('b', 20), snapshot('a', 12, { c: 10 })]
    const again = after(...reports, ...reports.toReversed(), ...reports)
    expect(again).toMatchObject(expected)
    expect(again.history).toEqual(['a moved'])
  })

  it('is not taken back by a snapshot that was made before it moved', () => {
    expect(after(joined('a', 10), joined('b', 20), snapshot('a', 21, { c: 10 }))).toMatchObject({ at: 'b' })
  })

  it('between technologies, or within ten seconds after it left, has moved; later it has only joined', () => {
    expect(after(joined('lifi', 10), joined('b', 20)).attachments.moves).toMatchObject([
      { fromTechnology: 'LiFi', technology: 'WiFi' },
    ])
    expect(after(joined('a', 10), left('a', 20), joined('b', 29)).moves).toEqual(['a → b'])
    expect(after(joined('a', 10), left('a', 20), joined('b', 31)).moves).toEqual([])
  })
})

describe('an access point with a clock that is behind', () => {
  it('gets a client as soon as the other one has reported that it left, with its next snapshot', () => {
    const before = [joined('a', 100), joined('b', 110, 40), left('a', 110)]
    expect(after(...before).at).toBeUndefined()
    expect(after(...before, snapshot('b', 120, { c: 40 })).at).toBe('b')
  })

  it('gets a client that the other one has not confirmed for 30 s', () => {
    const before = [joined('a', 100), snapshot('a', 120, { c: 100 })]
    expect(after(...before, snapshot('b', 140, { c: 40 })).at).toBe('a')
    expect(after(...before, snapshot('b', 151, { c: 40 })).at).toBe('b')
  })
})

describe('a snapshot', () => {
  it('ends attachments that it does not list, and begins those that were missed', () => {
    const { rows, history, counts } = after(
      joined('a', 10),
      joined('a', 10, 10, 'd'),
      snapshot('a', 20, { d: 10, e: 15 }),
    )
    expect(rows.get('c')).toMatchObject({ isAttached: false, ended: 'missing' })
    expect(rows.get('e')).toMatchObject({ isAttached: true, apId: 'a' })
    expect([history, counts]).toEqual([['a missing'], { a: 2 }])
  })

  it('that is older than an attachment does not end it', () => {
    expect(after(joined('a', 20), snapshot('a', 10, {})).at).toBe('a')
  })
})

it('a client that lost its connection is reported as dropped, once', () => {
  const { attachments, at, history } = after(joined('a', 10), left('a', 20, 20, 'dropped'), left('a', 20))
  expect([at, history, attachments.dropped.map(({ id }) => id)]).toEqual([undefined, ['a dropped'], ['c']])
})

it('a client that associates again at the same access point has two attachments', () => {
  expect(after(joined('a', 10), joined('a', 12, 11)).history).toEqual([])
  expect(after(joined('a', 10), joined('a', 60)).history).toEqual(['a left'])
})

it('clients beyond the limit of an access point are counted and not stored', () => {
  const { attachments, counts } = after(snapshot('a', 10, { c: 1, d: 1, e: 1, f: 1, g: 1 }))
  expect([counts, attachments.rejected.get('a')]).toEqual([{ a: 3 }, 2])
})

const known: ClientRow = {
  id: 'c',
  apId: 'a',
  isAttached: true,
  technology: 'WiFi',
  emulatedBy: null,
  since: new Date(10_000),
  fromApId: null,
  ...link,
  ended: null,
  claimedAt: new Date(10_000),
  measuredAt: null,
  throughputMbps: null,
  heard: null,
}

/** What is written after a report about a client that is attached. */
function changedBy(
  more: Partial<Report['joined'][number]>,
  { receivedS = 20, row = known, isAllowed = true } = {},
): ClientRow[] {
  const attachments = new Attachments({
    clients: [{ ...row }],
    accessPoints: [],
    maxClients: 3,
    takeRefresh: () => isAllowed,
  })
  attachments.apply(report('a', receivedS, { joined: [{ id: 'c', sinceMs: 10_000, ...link, ...more }] }))
  return [...attachments.changed]
}

it('small changes of signal and rate are not stored', () => {
  expect(
    [{ signalDbm: -62 }, { rateMbps: 140 }, { signalDbm: -70 }, { rateMbps: 40 }].map(
      (more) => changedBy(more).length,
    ),
  ).toEqual([0, 0, 1, 1])
})

describe('a measurement', () => {
  const measurement = { throughputMbps: 3, heard: { b: -70 } }

  it('is stored again after ten seconds, if the limit allows it', () => {
    expect(changedBy({ measurement })).toMatchObject([{ ...measurement, measuredAt: new Date(20_000) }])
    const row = { ...known, measuredAt: new Date(20_000) }
    expect(changedBy({ measurement }, { row, receivedS: 29 })).toEqual([])
    expect(changedBy({ measurement }, { row, receivedS: 31 })).toHaveLength(1)
    expect(changedBy({ measurement }, { row, receivedS: 31, isAllowed: false })).toEqual([])
  })

  it('is stored with each change of the link, without regard to the limit', () => {
    expect(changedBy({ measurement, signalDbm: -80 }, { isAllowed: false })).toMatchObject([measurement])
  })

  it('that is delivered again, or late, changes nothing', () => {
    const row = { ...known, measuredAt: new Date(40_000) }
    for (const receivedS of [20, 40]) expect(changedBy({ measurement }, { row, receivedS })).toEqual([])
  })

  it('ends with the attachment', () => {
    const { rows } = after(
      report('a', 10, { joined: [{ id: 'c', sinceMs: 10_000, ...link, measurement }] }),
      joined('b', 20),
    )
    expect(rows.get('c')).toMatchObject({ apId: 'b', measuredAt: null, throughputMbps: null, heard: null })
  })
})
