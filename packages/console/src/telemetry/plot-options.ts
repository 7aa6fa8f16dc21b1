import uPlot from 'uplot'
import { formatNumber } from '../format/number.ts'
import { formatTick } from '../format/time.ts'
import { type ChartColours, chartColours } from './chart-colours.ts'
import type { ChartGroup } from './chart-group.ts'
import { drawIntervals, drawMarks } from './draw-marks.ts'
import type { NearMarks } from './mark-tooltip.tsx'
import { type AlarmInterval, type Mark, marksNear } from './marks.ts'

export interface Line {
  label: string
  colour: string
  dash?: number[]
  isHidden?: boolean
}

/** A value that a chart marks with a horizontal line. */
export interface Threshold {
  value: number
  level: 'degraded' | 'bad'
  /** Also if all values are far from it. */
  isAlwaysShown?: true
}

interface PlotSettings {
  lines: readonly Line[]
  thresholds: readonly Threshold[]
  /** As they are when the chart is drawn. */
  marks: () => readonly Mark[]
  intervals: () => readonly AlarmInterval[]
  /** The marks at the cursor of the chart that is hovered or focused. */
  onNear: (near: NearMarks | undefined) => void
  scheme: 'light' | 'dark'
  height: number
  width: number
  /** Points farther apart than this are not connected. */
  gapMs: number
  group: ChartGroup
  onZoom: (fromMs: number, toMs: number) => void
  onReset: () => void
}

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

export function plotOptions(settings: PlotSettings): uPlot.Options {
  const { lines, scheme, height, width, group } = settings
  const colours = chartColours[scheme]
  const axis = {
    stroke: colours.text,
    font,
    ticks: { show: false },
    grid: { stroke: colours.grid, width: 1 },
  }
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    // Space for the last tick label, which is centred at the edge.
    padding: [8, 18, 0, 0],
    focus: { alpha: 0.2 },
    scales: { x: { time: true }, y: { range: rangeWith(settings.thresholds) } },
    axes: [
      {
        ...axis,
        size: 26,
        space: tickSpacing,
        values: (_, times, __, ___, stepMs) => times.map((ms) => formatTick(ms, stepMs)),
      },
      {
        ...axis,
        size: axisWidth,
        space: 28,
        filter: filterTicks,
        grid: { ...axis.grid, filter: filterTicks },
        values: (_, values, __, ___, step) => values.map(tickLabel(step)),
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
        gaps: gapRefiner(settings.gapMs),
        ...(dash && { dash }),
        ...(lines.length === 1 && { fill: `${colour}1c`, fillTo: lowerEdge }),
      })),
    ],
    cursor: {
      y: false,
      points: { size: 7 },
      hover: { prox: 40 },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      // Charts share the cursor, but no other events.
      sync: { key: group.key, filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      bind: {
        dblclick: () => () => {
          settings.onReset()
          return null
        },
      },
    },
    hooks: {
      drawClear: [(plot) => drawIntervals(plot, settings.intervals(), colours)],
      draw: [
        (plot) => {
          drawThresholds(plot, settings.thresholds, colours)
          drawMarks(plot, settings.marks(), colours)
        },
      ],
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1
          settings.onNear(nearMarks(plot, settings.marks(), left))
          group.point(left < 0 ? undefined : Math.round(plot.posToVal(left, 'x')))
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: selectedWidth } = plot.select
          if (selectedWidth === 0) return
          const at = (px: number) => Math.round(plot.posToVal(px, 'x'))
          settings.onZoom(at(left), at(left + selectedWidth))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** In CSS pixels. */
const nearPx = 7

/** Charts share the cursor: only one of them shows the events. */
function nearMarks(plot: uPlot, marks: readonly Mark[], left: number): NearMarks | undefined {
  const isActive = plot.root.matches(':hover') || plot.root.parentElement === document.activeElement
  if (left < 0 || !isActive) return undefined
  const near = marksNear(marks, (ms) => plot.valToPos(ms, 'x'), left, nearPx)
  return near.length === 0 ? undefined : { marks: near, part: (plot.over.offsetLeft + left) / plot.width }
}

/** Those outside of the range of the values are not drawn: they would flatten the line. */
function drawThresholds(plot: uPlot, thresholds: readonly Threshold[], colours: ChartColours): void {
  const { min = 0, max = 0 } = plot.scales['y'] ?? {}
  const { ctx, bbox } = plot
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  for (const { value, level } of thresholds) {
    if (value <= min || value >= max) continue
    const y = Math.round(plot.valToPos(value, 'y', true))
    ctx.strokeStyle = colours[level]
    ctx.setLineDash(level === 'bad' ? [] : [6, 4])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

/** The range of the values, and of thresholds that are always shown. */
function rangeWith(thresholds: readonly Threshold[]): uPlot.Range.Function {
  const shown = thresholds.flatMap(({ value, isAlwaysShown }) => (isAlwaysShown ? [value] : []))
  return (plot, lowest, highest) =>
    lowest === null || highest === null
      ? rangeOf(plot, lowest, highest)
      : rangeOf(plot, Math.min(lowest, ...shown), Math.max(highest, ...shown))
}

/** A constant line is drawn in the middle of the chart, not at its edge. */
function rangeOf(_: uPlot, lowest: number | null, highest: number | null): uPlot.Range.MinMax {
  if (lowest === null || highest === null) return [0, 1]
  if (lowest === highest) {
    const margin = Math.abs(lowest) / 10 || 1
    return lowest === 0 ? [0, 1] : [lowest - margin, highest + margin]
  }
  return uPlot.rangeNum(lowest, highest, 0.1, true)
}

/** Space for a label with or without seconds. */
function tickSpacing(_: uPlot, __: number, from: number, to: number, width: number): number {
  const perMinute = width / ((to - from) / 60_000)
  return perMinute >= 44 && perMinute < 88 ? 44 : 62
}

/** The area is filled to the edge of the chart: zero may be outside of it. */
const lowerEdge = (plot: uPlot): number => plot.scales['y']?.min ?? 0

/** Integer data, such as a number of clients, has no ticks between integers. */
const filterTicks: uPlot.Axis.Filter = (plot, ticks) =>
  isIntegerData(plot) ? ticks.map((tick) => (Number.isInteger(tick) ? tick : null)) : ticks

function isIntegerData({ data: [, ...lines] }: uPlot): boolean {
  for (const line of lines)
    for (const value of line) if (typeof value === 'number' && !Number.isInteger(value)) return false
  return true
}

/** As many digits as are needed to distinguish two ticks. */
const tickLabel = (step: number) => {
  // Significant digits only: 0.0025 has four.
  const digits = Number(step.toPrecision(3)).toString().split('.')[1]?.length ?? 0
  return (value: number | null) => (value === null ? '' : formatNumber(value, Math.min(digits, 8)))
}

/** Width of the longest label. */
function axisWidth(plot: uPlot, values: string[] | null): number {
  const longest = (values ?? []).reduce((max, text) => Math.max(max, text.length), 0)
  plot.ctx.font = font
  return Math.max(48, Math.ceil(longest * 7.2) + 14)
}

/** No line is drawn across missing data. */
function gapRefiner(gapMs: number): uPlot.Series.GapsRefiner {
  return (plot, _, first, last, existing) => {
    const at = plot.data[0]
    const gaps = existing.slice()
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
