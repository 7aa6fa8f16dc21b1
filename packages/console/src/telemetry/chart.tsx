import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { Group, Text, useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { ChartGroup } from './chart-group.ts'
import { MarkTooltip, type NearMarks } from './mark-tooltip.tsx'
import type { AlarmInterval, Mark } from './marks.ts'
import { type Line, plotOptions, type Threshold } from './plot-options.ts'

export interface ChartProps {
  /** With the unit: title in exports and accessible name. */
  title: string
  /** Shown above the chart; by default the title. */
  caption?: string
  /** The latest value, for charts with one line. */
  figure?: string
  /** Beside the latest value. */
  mark?: ReactNode
  /** A text for screen readers. */
  summary: string
  lines: readonly Line[]
  thresholds?: readonly Threshold[]
  /** Events, drawn at the time axis. */
  marks?: readonly Mark[]
  /** Alarms of this metric, drawn as shaded time. */
  intervals?: readonly AlarmInterval[]
  /** Times in milliseconds, then the values of each line. */
  data: uPlot.AlignedData
  fromMs: number
  toMs: number
  gapMs: number
  group: ChartGroup
  /** The index of the highlighted line. */
  highlighted?: number | undefined
  height?: number
  onZoom: (fromMs: number, toMs: number) => void
  onReset: () => void
}

export function Chart(props: ChartProps) {
  const {
    title,
    caption = title,
    figure,
    mark,
    summary,
    lines,
    data,
    fromMs,
    toMs,
    gapMs,
    group,
    highlighted,
    marks,
    intervals,
    height = 150,
  } = props
  const scheme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [near, setNear] = useState<NearMarks>()
  const latest = useRef(props)
  latest.current = props
  // Without the labels, which are not drawn: a new label must not interrupt hovering or dragging.
  const styleKey = JSON.stringify(lines.map(({ colour, dash, isHidden }) => [colour, dash, isHidden]))

  useEffect(() => {
    const { current: element } = container
    if (!element) return
    const options = plotOptions({
      lines: latest.current.lines,
      thresholds: latest.current.thresholds ?? [],
      marks: () => latest.current.marks ?? [],
      intervals: () => latest.current.intervals ?? [],
      onNear: setNear,
      scheme,
      width: element.clientWidth,
      height,
      gapMs,
      group,
      onZoom: (from, to) => latest.current.onZoom(from, to),
      onReset: () => latest.current.onReset(),
    })
    const created = new uPlot(options, latest.current.data, element)
    created.setScale('x', { min: latest.current.fromMs, max: latest.current.toMs })
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
  }, [scheme, styleKey, gapMs, group, title, height])

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

  return (
    <figure className="chart">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600} component="figcaption" truncate>
          {caption}
        </Text>
        {figure && (
          <Group gap="xs" wrap="nowrap">
            {mark}
            <Text size="lg" fw={600} className="figures" style={{ whiteSpace: 'nowrap' }}>
              {figure}
            </Text>
          </Group>
        )}
      </Group>
      <div className="chart-area">
        <div
          ref={container}
          role="img"
          aria-label={`${title}. ${summary}`}
          tabIndex={0}
          onKeyDown={(event) => moveCursor(event, plot.current)}
          onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
        />
        {near && <MarkTooltip {...near} />}
      </div>
    </figure>
  )
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
