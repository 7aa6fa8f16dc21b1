import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { Group, Text, useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { ChartGroup } from './chart-group.ts'
import { type Line, plotOptions } from './plot-options.ts'

export interface ChartProps {
  /** With the unit: the name of the picture. */
  title: string
  /** Over the chart, where it is not the title. */
  caption?: string
  /** Beside the title: the latest value, where there is one line. */
  figure?: string
  /** In words, for who does not see it. */
  summary: string
  lines: readonly Line[]
  /** Moments in milliseconds, then the values of each line. */
  data: uPlot.AlignedData
  fromMs: number
  toMs: number
  gapMs: number
  group: ChartGroup
  /** The line that stands out, by its number. */
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
    summary,
    lines,
    data,
    fromMs,
    toMs,
    gapMs,
    group,
    highlighted,
    height = 150,
  } = props
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  // Not their names, which are drawn nowhere: what is being pointed at or dragged over stays.
  const look = JSON.stringify(lines.map(({ colour, dash, isHidden }) => [colour, dash, isHidden]))

  useEffect(() => {
    const { current: box } = place
    if (!box) return
    const options = plotOptions({
      lines: latest.current.lines,
      scheme,
      width: box.clientWidth,
      height,
      gapMs,
      group,
      onZoom: (from, to) => latest.current.onZoom(from, to),
      onReset: () => latest.current.onReset(),
    })
    const own = new uPlot(options, latest.current.data, box)
    own.setScale('x', { min: latest.current.fromMs, max: latest.current.toMs })
    plot.current = own
    group.plots.set(title, own)
    const watch = new ResizeObserver(() => own.setSize({ width: box.clientWidth, height }))
    watch.observe(box)
    return () => {
      watch.disconnect()
      group.plots.delete(title)
      plot.current = undefined
      own.destroy()
    }
    // What it looks like is in `look`; its data comes with the next effect.
  }, [scheme, look, gapMs, group, title, height])

  useEffect(() => {
    const { current: own } = plot
    own?.batch(() => {
      own.setData(data, false)
      own.setScale('x', { min: fromMs, max: toMs })
    })
  }, [data, fromMs, toMs])

  useEffect(() => {
    const { current: own } = plot
    own?.setSeries(highlighted === undefined ? null : highlighted + 1, { focus: true }, false)
  }, [highlighted, look])

  return (
    <figure className="chart">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600} component="figcaption" truncate>
          {caption}
        </Text>
        {figure && (
          <Text size="lg" fw={600} className="figures" style={{ whiteSpace: 'nowrap' }}>
            {figure}
          </Text>
        )}
      </Group>
      <div
        ref={place}
        role="img"
        aria-label={`${title}. ${summary}`}
        tabIndex={0}
        onKeyDown={(event) => moveCursor(event, plot.current)}
        onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
      />
    </figure>
  )
}

const keys: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

/** From point to point with the arrows; away with Escape. */
function moveCursor(event: KeyboardEvent, plot: uPlot | undefined): void {
  if (!plot) return
  if (event.key === 'Escape') plot.setCursor({ left: -10, top: -10 })
  const step = keys[event.key]
  if (step === undefined) return
  event.preventDefault()
  const [at] = plot.data
  const last = at.length - 1
  const index = Math.min(last, Math.max(0, (plot.cursor.idx ?? last + (step < 0 ? 1 : 0)) + step))
  plot.setCursor({ left: plot.valToPos(at[index] ?? 0, 'x'), top: plot.over.clientHeight / 2 })
}
