import { describe, expect, it } from 'vitest'
import { type GapRow, nextPiece, nextPieceMs, openEndMs, type Piece, spanOf } from './gap-pieces.rules.ts'

const minute = 60_000
const hour = 60 * minute
const nowMs = 1_700_000_000_000

const gap = (id: string, fromMs: number, toMs: number, more: Partial<GapRow> = {}): GapRow => ({
  id,
  store: 'b',
  source: 'a',
  fromMs,
  toMs,
  revision: '1',
  ...more,
})

/** All pieces in order, as `from-to:ids`, in minutes. */
function pieces(gaps: GapRow[], maxMs: number): string[] {
  const copied: Piece[] = []
  for (let next = nextPiece(gaps, copied, maxMs, nowMs); next; ) {
    copied.push(next)
    next = nextPiece(gaps, copied, maxMs, nowMs)
  }
  return copied.map(
    ({ fromMs, toMs, gaps: covered }) =>
      `${fromMs / minute}-${toMs / minute}:${covered.map(({ id }) => id).join('')}`,
  )
}

describe('Gaps are copied', () => {
  it('together if they touch each other', () => {
    const gaps = [gap('x', 0, minute), gap('y', minute, 2 * minute), gap('z', 3 * minute, 4 * minute)]
    expect(pieces(gaps, hour)).toEqual(['0-2:xy', '3-4:z'])
  })

  it('in pieces of a limited length', () => {
    expect(pieces([gap('x', 0, 5 * minute)], 2 * minute)).toEqual(['0-2:x', '2-4:x', '4-5:x'])
    const minutes = ['x', 'y', 'z'].map((id, n) => gap(id, n * minute, (n + 1) * minute))
    expect(pieces(minutes, 2 * minute)).toEqual(['0-2:xy', '2-3:z'])
  })

  it('each as a whole, also where they overlap', () => {
    const gaps = [gap('x', 0, 10 * minute), gap('y', minute, 2 * minute), gap('z', 3 * minute, 4 * minute)]
    const found = pieces(gaps, 2 * minute)
    for (const { id, fromMs, toMs } of gaps)
      for (let at = fromMs / minute; at < toMs / minute; at++) {
        const covers = found.some((piece) => {
          const [, from, to, ids = ''] = /^(\d+)-(\d+):(\w+)$/.exec(piece) ?? []
          return Number(from) <= at && at < Number(to) && ids.includes(id)
        })
        expect({ id, at, covers }).toEqual({ id, at, covers: true })
      }
  })

  it('apart if they come from different sources', () => {
    const gaps = [gap('x', 0, minute), gap('y', 0, minute, { source: 'c' })]
    expect(pieces(gaps, hour)).toEqual(['0-1:x', '0-1:y'])
  })

  it('again if more was missed after they were copied', () => {
    const first = nextPiece([gap('x', 0, minute)], [], hour, nowMs)
    expect(first).toBeDefined()
    const copied = first ? [first] : []
    expect(nextPiece([gap('x', 0, minute)], copied, hour, nowMs)).toBeUndefined()
    const again = nextPiece([gap('x', 0, minute, { revision: '2' })], copied, hour, nowMs)
    expect(again).toMatchObject({ fromMs: 0, toMs: minute })
  })

  it('up to an hour ahead of now, if they have no end', () => {
    const gaps = [gap('x', nowMs - 2 * hour, openEndMs)]
    const copied: Piece[] = []
    for (let next = nextPiece(gaps, copied, hour, nowMs); next; next = nextPiece(gaps, copied, hour, nowMs))
      copied.push(next)
    expect(copied.map((piece) => spanOf(piece, nowMs))).toEqual([
      { fromMs: nowMs - 2 * hour, toMs: nowMs - hour - 1 },
      { fromMs: nowMs - hour, toMs: nowMs - 1 },
      { fromMs: nowMs, toMs: nowMs + hour - 1 },
      { fromMs: nowMs + hour, toMs: nowMs + hour },
    ])
    expect(copied.at(-1)?.toMs).toBe(openEndMs)
  })
})

describe('The length of a piece', () => {
  it('doubles, up to a day, while pieces are small', () => {
    expect(nextPieceMs(hour, 0)).toBe(2 * hour)
    expect(nextPieceMs(20 * hour, 0)).toBe(24 * hour)
  })

  it('halves, down to a minute, while pieces are large', () => {
    expect(nextPieceMs(hour, 1e9)).toBe(hour / 2)
    expect(nextPieceMs(minute, 1e9)).toBe(minute)
  })

  it('stays otherwise', () => {
    expect(nextPieceMs(hour, 16 * 1024 * 1024)).toBe(hour)
  })
})
