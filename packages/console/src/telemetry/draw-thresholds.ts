import type uPlot from 'uplot'
import type { ChartColours } from './chart-colours.ts'

/** A value that a chart marks with a horizontal line. */
export interface Threshold {
  value: number
  level: 'degraded' | 'bad'
  /** Where values have this level; it is shaded. Undefined: only the line. */
  side?: 'above' | 'below'
  /** Also if all values are far from it. */
  isAlwaysShown?: true
}

/** Those outside of the range of the values are not drawn: they would flatten the line. */
export function drawThresholds(plot: uPlot, thresholds: readonly Threshold[], colours: ChartColours): void {
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

/** Shades the values of each level. Good ones are not shaded. */
export function drawLevels(plot: uPlot, thresholds: readonly Threshold[], colours: ChartColours): void {
  const { min = 0, max = 0 } = plot.scales['y'] ?? {}
  const { ctx, bbox } = plot
  const within = (value: number) => plot.valToPos(Math.min(max, Math.max(min, value)), 'y', true)
  ctx.save()
  ctx.globalAlpha = 0.08
  for (const { low, high, level } of levelRanges(thresholds)) {
    const [top, bottom] = [within(high), within(low)]
    if (bottom - top < 1) continue
    ctx.fillStyle = colours[level]
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  }
  ctx.restore()
}

interface LevelRange {
  low: number
  high: number
  level: Threshold['level']
}

/** Each level up to the next one. */
export function levelRanges(thresholds: readonly Threshold[]): LevelRange[] {
  return thresholds.flatMap(({ value, level, side }): LevelRange[] => {
    if (side === undefined) return []
    const beyond = thresholds
      .map((other) => other.value)
      .filter((other) => (side === 'above' ? other > value : other < value))
    return side === 'above'
      ? [{ low: value, high: Math.min(Infinity, ...beyond), level }]
      : [{ low: Math.max(-Infinity, ...beyond), high: value, level }]
  })
}
