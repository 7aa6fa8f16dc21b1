import uPlot from 'uplot'
import { formatNumber } from '../format/number.ts'
import { formatElapsed, formatTick } from '../format/time.ts'
import { chartColours } from './chart-colours.ts'
import type { ChartGroup } from './chart-group.ts'
import { drawIntervals, drawMarks } from './draw-marks.ts'
import { drawLevels, drawThresholds, type Threshold } from './draw-thresholds.ts'
import type { NearMarks } from './mark-tooltip.tsx'
import { type AlarmInterval, type Mark, marksNear } from './marks.ts'

export interface Line {
  label: string
  colour: string
  dash?: number[]
  isHidden?: boolean
  /** The edge of a band: not drawn itself. */
  isEdge?: true
}

/** The area between two lines, by their indexes. */
export interface Band {
  upper: number
  lower: number
  colour: string
}

interface PlotSettings {
  lines: readonly Line[]
  bands: readonly Band[]
  /** At the axis of values; empty: a number without a unit. */
  unit: string
  /** Upper ends of a fixed scale from 0; the first one that has all values is used. Undefined: as the values need. */
  scaleEnds: readonly number[] | undefined
  /** Times are those since the start of a period, instead of the time of day. */
  isElapsed: boolean
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
    padding: [8, settings.isElapsed ? 28 : 18, 0, 0],
    focus: { alpha: 0.2 },
    scales: { x: { time: !settings.isElapsed }, y: { range: rangeWith(settings) } },
    axes: [
      {
        ...axis,
        size: 26,
        space: settings.isElapsed ? 84 : tickSpacing,
        ...(settings.isElapsed && { incrs: elapsedStepsMs }),
        values: (_, times, __, ___, stepMs) =>
          times.map((ms) => (settings.isElapsed ? formatElapsed(ms) : formatTick(ms, stepMs))),
      },
      {
        ...axis,
        size: axisWidth,
        ...(settings.unit !== '' && { label: settings.unit, labelFont: font, labelSize: 16, labelGap: 0 }),
        space: 28,
        filter: filterTicks,
        grid: { ...axis.grid, filter: filterTicks },
        values: (_, values, __, ___, step) => values.map(tickLabel(step)),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash, isHidden, isEdge }) => ({
        label,
        stroke: isEdge ? 'transparent' : colour,
        width: isEdge ? 0 : 1.5,
        show: !isHidden,
        points: { show: false },
        gaps: gapRefiner(settings.gapMs),
        ...(dash && { dash }),
        ...(lines.length === 1 && {
          fill: (plot: uPlot) => (hasZeroBase(plot) ? `${colour}1c` : 'transparent'),
        }),
      })),
    ],
    bands: settings.bands.map(({ upper, lower, colour }) => ({
      series: [upper + 1, lower + 1] as [number, number],
      fill: colour,
    })),
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
      drawClear: [
        (plot) => {
          drawLevels(plot, settings.thresholds, colours)
          drawIntervals(plot, settings.intervals(), colours)
        },
      ],
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

/** A fixed scale, or the range of the values and of thresholds that are always shown, from 0 unless some are negative. */
function rangeWith({ thresholds, scaleEnds }: PlotSettings): uPlot.Range.Function {
  const shown = thresholds.flatMap(({ value, isAlwaysShown }) => (isAlwaysShown ? [value] : []))
  return (_, lowestValue, highestValue) => {
    const lowest = Math.min(lowestValue ?? 0, ...shown)
    const highest = Math.max(highestValue ?? 0, ...shown)
    const end = scaleEnds?.find((each) => each >= highest)
    if (end !== undefined && lowest >= 0) return [0, end]
    if (lowest >= 0) return highest === 0 ? [0, 1] : uPlot.rangeNum(0, highest, 0.1, true)
    if (lowest === highest) return [lowest * 1.1, lowest * 0.9]
    return uPlot.rangeNum(lowest, highest, 0.1, true)
  }
}

/** Steps of an axis that starts at 0. */
const elapsedStepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
  .concat([1, 2, 5, 10, 20, 50, 100].map((days) => days * 86_400))
  .map((seconds) => seconds * 1000)

/** Space for a label with or without seconds. */
function tickSpacing(_: uPlot, __: number, from: number, to: number, width: number): number {
  const perMinute = width / ((to - from) / 60_000)
  return perMinute >= 44 && perMinute < 88 ? 44 : 62
}

/** An area is filled only down to zero. */
const hasZeroBase = (plot: uPlot): boolean => plot.scales['y']?.min === 0

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
  return Math.max(38, Math.ceil(longest * 7.2) + 14)
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
