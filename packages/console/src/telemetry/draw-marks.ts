import type uPlot from 'uplot'
import type { ChartColours } from './chart-colours.ts'
import { type AlarmInterval, type Mark, markShapes } from './marks.ts'

/** Of a symbol, in CSS pixels. */
const size = 10

const colourOf = (severity: Mark['severity'], colours: ChartColours): string =>
  severity === 'critical' ? colours.bad : severity === 'warning' ? colours.degraded : colours.text

/** Shades the time of each alarm, with a bar above it: solid for critical ones, dashed for others. */
export function drawIntervals(plot: uPlot, intervals: readonly AlarmInterval[], colours: ChartColours): void {
  const { ctx, bbox } = plot
  const right = bbox.left + bbox.width
  const within = (ms: number) => Math.min(right, Math.max(bbox.left, plot.valToPos(ms, 'x', true)))
  ctx.save()
  for (const { fromMs, toMs, severity } of intervals) {
    const [from, to] = [within(fromMs), toMs === undefined ? right : within(toMs)]
    if (to <= bbox.left || from >= right) continue
    const width = Math.max(devicePixelRatio, to - from)
    ctx.fillStyle = ctx.strokeStyle = colourOf(severity, colours)
    ctx.globalAlpha = 0.1
    ctx.fillRect(from, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.lineWidth = 3 * devicePixelRatio
    ctx.setLineDash(severity === 'critical' ? [] : [6 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(from, bbox.top)
    ctx.lineTo(from + width, bbox.top)
    ctx.stroke()
  }
  ctx.restore()
}

/** A symbol at the time axis for each event; those that need attention are filled and have a line. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], colours: ChartColours): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 0 } = plot.scales['x'] ?? {}
  const bottom = bbox.top + bbox.height
  ctx.save()
  for (const { atMs, group, severity } of marks) {
    if (atMs < min || atMs > max) continue
    const x = Math.round(plot.valToPos(atMs, 'x', true))
    const colour = colourOf(severity, colours)
    ctx.strokeStyle = colour
    ctx.lineWidth = devicePixelRatio
    if (severity !== 'info') {
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bottom)
      ctx.stroke()
      ctx.setLineDash([])
    }
    ctx.save()
    ctx.translate(x - (size / 2) * devicePixelRatio, bottom - (size + 2) * devicePixelRatio)
    ctx.scale(devicePixelRatio, devicePixelRatio)
    const shape = new Path2D(markShapes[group])
    ctx.lineWidth = 1.4
    ctx.fillStyle = severity === 'info' ? colours.background : colour
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is not an array
    ctx.fill(shape)
    ctx.stroke(shape)
    ctx.restore()
  }
  ctx.restore()
}
