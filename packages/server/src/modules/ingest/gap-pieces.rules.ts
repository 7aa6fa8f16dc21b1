import { maxAheadMs } from '../../clocks.ts'
import type { TimeRange } from './batch-copies.rules.ts'

/** Samples with times in this range that a store misses, and the store that has them. Both by name. */
export interface Gap extends TimeRange {
  store: string
  source: string
}

export interface GapRow extends Gap {
  id: string
  /** Incremented when more samples of the range are missed. */
  revision: string
}

/** Of a gap that has no end yet: the largest time of JavaScript. */
export const openEndMs = 8_640_000_000_000_000

/** A range of times that is copied at once, and the gaps that it covers, at least in part. */
export interface Piece {
  source: string
  fromMs: number
  /** Excluded. `openEndMs`: there is nothing after it. */
  toMs: number
  gaps: GapRow[]
}

const shortestMs = 60_000
const longestMs = 86_400_000
const smallBytes = 4 * 1024 * 1024
const largeBytes = 64 * 1024 * 1024

export const firstPieceMs = 600_000

/** The length of the next piece, by the size of the last one: empty years and busy minutes both take little time. */
export function nextPieceMs(lastMs: number, bytes: number): number {
  if (bytes < smallBytes) return Math.min(lastMs * 2, longestMs)
  return bytes > largeBytes ? Math.max(lastMs / 2, shortestMs) : lastMs
}

/** The next piece of a store's gaps; undefined if all are copied. Gaps that touch each other are copied together. */
export function nextPiece(
  gaps: readonly GapRow[],
  copied: readonly Piece[],
  maxMs: number,
  nowMs: number,
): Piece | undefined {
  const uncopied = gaps
    .map((gap) => ({ gap, fromMs: uncopiedFrom(gap, copied) }))
    .filter(({ gap, fromMs }) => fromMs < gap.toMs)
    .sort((a, b) => compare(a.gap.source, b.gap.source) || a.fromMs - b.fromMs)
  let piece: Piece | undefined
  for (const { gap, fromMs } of uncopied) {
    if (!piece) {
      piece = { source: gap.source, fromMs, toMs: endOf(gap, fromMs + maxMs, nowMs), gaps: [gap] }
      continue
    }
    const isNext = gap.source === piece.source && fromMs <= piece.toMs
    if (!isNext || piece.toMs - piece.fromMs >= maxMs) break
    piece.gaps.push(gap)
    piece.toMs = Math.max(piece.toMs, endOf(gap, piece.fromMs + maxMs, nowMs))
  }
  return piece
}

/** Where the part of a gap begins that no piece covers. */
function uncopiedFrom(gap: GapRow, copied: readonly Piece[]): number {
  let { fromMs } = gap
  for (const piece of copied)
    if (piece.gaps.some(({ id, revision }) => id === gap.id && revision === gap.revision))
      fromMs = Math.max(fromMs, piece.toMs)
  return fromMs
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const endOf = ({ toMs }: GapRow, maxToMs: number, nowMs: number): number =>
  toMs === openEndMs && maxToMs > nowMs + maxAheadMs ? openEndMs : Math.min(toMs, maxToMs)

/** What is copied of a piece, both ends included. */
export const spanOf = ({ fromMs, toMs }: Piece, nowMs: number) => ({
  fromMs,
  toMs: Math.min(toMs - 1, nowMs + maxAheadMs),
})
