import { paint } from './colour.ts'
import { clean, figure, padLeft, widthOf } from './text.ts'

interface Point {
  at: number
  value: number
}

interface Chart {
  /** With its unit. */
  title: string
  points: readonly Point[]
  fromMs: number
  toMs: number
  /** Total width in columns. */
  width: number
  /** Height of the plot in rows. */
  height: number
}

/** A line over time between two axes, drawn with braille: each character has 2 × 4 dots. */
export function chartLines({ title, points, fromMs, toMs, width, height }: Chart): string[] {
  const range = rangeOf(points)
  const labels = Array.from({ length: height }, (_, row) => labelAt(row, height, range))
  const margin = Math.max(...labels.map(widthOf))
  const columns = Math.max(10, width - margin - 2)
  const canvas = new Canvas(columns, height)
  const x = (at: number) => ((at - fromMs) / Math.max(1, toMs - fromMs)) * (columns * 2 - 1)
  const y = (value: number) => ((range.top - value) / (range.top - range.bottom)) * (height * 4 - 1)
  const gapMs = 3 * medianStep(points)
  for (const [n, point] of points.entries()) {
    const before = points[n - 1]
    // No line across a gap in the data.
    const start = before && point.at - before.at <= gapMs ? before : point
    canvas.line(x(start.at), y(start.value), x(point.at), y(point.value))
  }
  const last = points.at(-1)
  const plot = canvas
    .rows()
    .map(
      (row, n) =>
        `${padLeft(labels[n] ?? '', margin)} ${labels[n] === '' ? '│' : '┤'}${paint('cyan', row.trimEnd())}`,
    )
  return [
    `${paint('bold', clean(title))}  ${last ? figure(last.value) : paint('dim', 'no values in this period')}`,
    ...plot,
    `${' '.repeat(margin)} └${'─'.repeat(columns)}`,
    `${' '.repeat(margin + 2)}${timeAxis(fromMs, toMs, columns)}`,
  ]
}

const blocks = '▁▂▃▄▅▆▇█'

/** A small chart in one line of text. */
export function sparkline(values: readonly number[]): string {
  const low = Math.min(...values)
  const high = Math.max(...values)
  const step = (high - low) / (blocks.length - 1)
  return values.map((value) => blocks[step === 0 ? 0 : Math.round((value - low) / step)]).join('')
}

interface Range {
  bottom: number
  top: number
}

/** Round limits that include all values. */
function rangeOf(points: readonly Point[]): Range {
  const values = points.map(({ value }) => value)
  const low = values.length === 0 ? 0 : values.reduce((a, b) => Math.min(a, b))
  const high = values.length === 0 ? 1 : values.reduce((a, b) => Math.max(a, b))
  const size = high - low || Math.abs(high) || 1
  const power = 10 ** Math.floor(Math.log10(size / 4))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= size / 4) ?? 10) * power
  const bottom = Math.floor(low / step) * step
  const top = Math.ceil(high / step) * step
  return { bottom, top: top > bottom ? top : bottom + step }
}

/** Labels at the top, in the middle and at the bottom. */
function labelAt(row: number, height: number, { bottom, top }: Range): string {
  const isLabelled = row === 0 || row === height - 1 || (height > 4 && row === (height - 1) / 2)
  return isLabelled ? figure(top - ((top - bottom) * row) / Math.max(1, height - 1)) : ''
}

/** Median time between points. */
function medianStep(points: readonly Point[]): number {
  const steps = points.slice(1).map(({ at }, n) => at - (points[n]?.at ?? at))
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? Infinity
}

function timeAxis(fromMs: number, toMs: number, columns: number): string {
  const isLong = toMs - fromMs > 86_400_000
  const show = (at: number) => {
    const text = new Date(at).toISOString()
    return isLong ? text.slice(5, 16).replace('T', ' ') : text.slice(11, 19)
  }
  const start = show(fromMs)
  return start + padLeft(`${show(toMs)} UTC`, columns - start.length)
}

const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
]

class Canvas {
  readonly #cells: Uint8Array
  readonly #columns: number
  readonly #rows: number

  constructor(columns: number, rows: number) {
    this.#columns = columns
    this.#rows = rows
    this.#cells = new Uint8Array(columns * rows)
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))))
    for (let n = 0; n <= steps; n++) this.#dot(x0 + ((x1 - x0) * n) / steps, y0 + ((y1 - y0) * n) / steps)
  }

  rows(): string[] {
    return Array.from({ length: this.#rows }, (_, row) =>
      Array.from(this.#cells.subarray(row * this.#columns, (row + 1) * this.#columns), (cell) =>
        cell === 0 ? ' ' : String.fromCodePoint(0x28_00 + cell),
      ).join(''),
    )
  }

  #dot(x: number, y: number): void {
    const [column, row] = [Math.round(x), Math.round(y)]
    if (column < 0 || column >= this.#columns * 2 || row < 0 || row >= this.#rows * 4) return
    const cell = (row >> 2) * this.#columns + (column >> 1)
    this.#cells[cell] = (this.#cells[cell] ?? 0) | (dots[column & 1]?.[row & 3] ?? 0)
  }
}
