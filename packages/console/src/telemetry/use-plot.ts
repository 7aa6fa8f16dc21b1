import { useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { ChartGroup } from './chart-group.ts'
import type { Threshold } from './draw-thresholds.ts'
import type { NearMarks } from './mark-tooltip.tsx'
import type { AlarmInterval, Mark } from './marks.ts'
import { type Band, type Line, plotOptions } from './plot-options.ts'

export interface PlotProps {
  /** With the unit: title in exports and accessible name. */
  title: string
  /** At the axis of values. */
  unit?: string
  /** Upper ends of a fixed scale from 0. */
  scaleEnds?: readonly number[] | undefined
  lines: readonly Line[]
  bands?: readonly Band[]
  thresholds?: readonly Threshold[]
  /** Events, drawn at the time axis. */
  marks?: readonly Mark[]
  /** Alarms of this metric, drawn as shaded time. */
  intervals?: readonly AlarmInterval[]
  /** Times in milliseconds, then the values of each line. */
  data: uPlot.AlignedData
  fromMs: number
  toMs: number
  /** Times are those since the start of a period. */
  isElapsed?: boolean
  gapMs: number
  group: ChartGroup
  /** The index of the highlighted line. */
  highlighted?: number | undefined
  height?: number
  onZoom: (fromMs: number, toMs: number) => void
  onReset: () => void
}

const usualHeight = 150

/** Draws a chart in an element, and keeps it up to date. */
export function usePlot(
  container: RefObject<HTMLDivElement | null>,
  props: PlotProps,
  onNear: (near: NearMarks | undefined) => void,
) {
  const { title, lines, data, fromMs, toMs, gapMs, group, highlighted, marks, intervals } = props
  const { height = usualHeight, isElapsed = false, unit = '' } = props
  const scheme = useComputedColorScheme('light')
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  // Without the labels, which are not drawn: a new label must not interrupt hovering or dragging.
  const styleKey = JSON.stringify([
    lines.map(({ colour, dash, isHidden, isEdge }) => [colour, dash, isHidden, isEdge]),
    props.bands,
    props.thresholds,
  ])

  useEffect(() => {
    const { current: element } = container
    if (!element) return
    const { current: given } = latest
    const options = plotOptions({
      lines: given.lines,
      bands: given.bands ?? [],
      unit,
      scaleEnds: given.scaleEnds,
      isElapsed,
      thresholds: given.thresholds ?? [],
      marks: () => latest.current.marks ?? [],
      intervals: () => latest.current.intervals ?? [],
      onNear,
      scheme,
      width: element.clientWidth,
      height,
      gapMs,
      group,
      onZoom: (from, to) => latest.current.onZoom(from, to),
      onReset: () => latest.current.onReset(),
    })
    const created = new uPlot(options, given.data, element)
    created.setScale('x', { min: given.fromMs, max: given.toMs })
    plot.current = created
    group.plots.set(title, created)
    const resizeObserver = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height }))
    resizeObserver.observe(element)
    return () => {
      resizeObserver.disconnect()
      group.plots.delete(title)
      plot.current = undefined
      created.destroy()
    }
    // `styleKey` covers the lines; the next effect sets the data.
  }, [scheme, styleKey, gapMs, group, title, unit, isElapsed, height])

  useEffect(() => {
    const { current: chart } = plot
    chart?.batch(() => {
      chart.setData(data, false)
      chart.setScale('x', { min: fromMs, max: toMs })
    })
  }, [data, fromMs, toMs])

  useEffect(() => {
    // The lines stay as they are.
    plot.current?.redraw(false)
  }, [marks, intervals])

  useEffect(() => {
    const { current: chart } = plot
    chart?.setSeries(highlighted === undefined ? null : highlighted + 1, { focus: true }, false)
  }, [highlighted, styleKey])

  return {
    onKeyDown: (event: KeyboardEvent) => moveCursor(event, plot.current),
    hideCursor: () => plot.current?.setCursor({ left: -10, top: -10 }),
  }
}

const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

/** Arrow keys move the cursor, Escape hides it. */
function moveCursor(event: KeyboardEvent, plot: uPlot | undefined): void {
  if (!plot) return
  if (event.key === 'Escape') plot.setCursor({ left: -10, top: -10 })
  const step = keySteps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const [at] = plot.data
  const last = at.length - 1
  const index = Math.min(last, Math.max(0, (plot.cursor.idx ?? last + (step < 0 ? 1 : 0)) + step))
  plot.setCursor({ left: plot.valToPos(at[index] ?? 0, 'x'), top: plot.over.clientHeight / 2 })
}
