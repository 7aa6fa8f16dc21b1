import uPlot from 'uplot'
import { formatNumber } from '../format/number.ts'
import { formatTick } from '../format/time.ts'
import type { ChartGroup } from './chart-group.ts'

export interface Line {
  label: string
  colour: string
  dash?: number[]
  isHidden?: boolean
}

interface Wish {
  lines: readonly Line[]
  scheme: 'light' | 'dark'
  height: number
  width: number
  /** A silence longer than this is a gap. */
  gapMs: number
  group: ChartGroup
  onZoom: (fromMs: number, toMs: number) => void
  onReset: () => void
}

export const chartColours = {
  light: { text: '#5b6472', grid: '#e6e9ee', paper: '#ffffff', ink: '#1c2530' },
  dark: { text: '#a3adba', grid: '#363b42', paper: '#242424', ink: '#eef2f6' },
} as const

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

export function plotOptions(wish: Wish): uPlot.Options {
  const { lines, scheme, height, width, group } = wish
  const ink = chartColours[scheme]
  const axis = { stroke: ink.text, font, ticks: { show: false }, grid: { stroke: ink.grid, width: 1 } }
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    // The label of the last moment is half outside.
    padding: [8, 18, 0, 0],
    focus: { alpha: 0.2 },
    scales: { x: { time: true }, y: { range: rangeOf } },
    axes: [
      {
        ...axis,
        size: 26,
        space: spaceOf,
        values: (_, moments, __, ___, stepMs) => moments.map((ms) => formatTick(ms, stepMs)),
      },
      {
        ...axis,
        size: sizeOfValues,
        space: 28,
        filter: marksOf,
        grid: { ...axis.grid, filter: marksOf },
        values: (_, values, __, ___, step) => values.map(markOf(step)),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash, isHidden }) => ({
        label,
        stroke: colour,
        width: 1.5,
        show: !isHidden,
        points: { show: false },
        gaps: gapsOver(wish.gapMs),
        ...(dash && { dash }),
        ...(lines.length === 1 && { fill: `${colour}1c`, fillTo: bottomOf }),
      })),
    ],
    cursor: {
      y: false,
      points: { size: 7 },
      hover: { prox: 40 },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      // Of what happens in one chart, the others follow the cursor alone.
      sync: { key: group.key, filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      bind: {
        dblclick: () => () => {
          wish.onReset()
          return null
        },
      },
    },
    hooks: {
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1
          group.point(left < 0 ? undefined : Math.round(plot.posToVal(left, 'x')))
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select
          if (wide === 0) return
          const at = (px: number) => Math.round(plot.posToVal(px, 'x'))
          wish.onZoom(at(left), at(left + wide))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** A line that does not move is drawn in the middle of something, not on its edge. */
function rangeOf(_: uPlot, lowest: number | null, highest: number | null): uPlot.Range.MinMax {
  if (lowest === null || highest === null) return [0, 1]
  if (lowest === highest) {
    const room = Math.abs(lowest) / 10 || 1
    return lowest === 0 ? [0, 1] : [lowest - room, highest + room]
  }
  return uPlot.rangeNum(lowest, highest, 0.1, true)
}

/** Of a label with seconds, or without. */
function spaceOf(_: uPlot, __: number, from: number, to: number, width: number): number {
  const perMinute = width / ((to - from) / 60_000)
  return perMinute >= 44 && perMinute < 88 ? 44 : 62
}

/** The ground is the edge of the chart: zero may be far away. */
const bottomOf = (plot: uPlot): number => plot.scales['y']?.min ?? 0

/** There is no half a client: what is counted has no marks between whole numbers. */
const marksOf: uPlot.Axis.Filter = (plot, marks) =>
  isCounted(plot) ? marks.map((mark) => (Number.isInteger(mark) ? mark : null)) : marks

function isCounted({ data: [, ...lines] }: uPlot): boolean {
  for (const line of lines)
    for (const value of line) if (typeof value === 'number' && !Number.isInteger(value)) return false
  return true
}

/** With as many digits as tell one mark from the next. */
const markOf = (step: number) => {
  // As short as it is written: 0.0025 has four.
  const digits = Number(step.toPrecision(3)).toString().split('.')[1]?.length ?? 0
  return (value: number | null) => (value === null ? '' : formatNumber(value, Math.min(digits, 8)))
}

/** As wide as its longest label. */
function sizeOfValues(plot: uPlot, values: string[] | null): number {
  const longest = (values ?? []).reduce((most, text) => Math.max(most, text.length), 0)
  plot.ctx.font = font
  return Math.max(48, Math.ceil(longest * 7.2) + 14)
}

/** By the points' distance: what was not measured is not drawn as if it had been. */
function gapsOver(gapMs: number): uPlot.Series.GapsRefiner {
  return (plot, _, first, last, known) => {
    const at = plot.data[0]
    const gaps = known.slice()
    for (let n = first; n < last; n++) {
      const [from = 0, to = 0] = [at[n], at[n + 1]]
      if (to - from > gapMs)
        uPlot.addGap(
          gaps,
          Math.round(plot.valToPos(from, 'x', true)),
          Math.round(plot.valToPos(to, 'x', true)),
        )
    }
    return gaps.sort(([a], [b]) => a - b)
  }
}
