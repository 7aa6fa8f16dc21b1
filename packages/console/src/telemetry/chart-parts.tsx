import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { Group, Text } from '@mantine/core'
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { MarkTooltip, type NearMarks } from './mark-tooltip.tsx'
import { type PlotProps, usePlot } from './use-plot.ts'

export interface ChartProps extends PlotProps {
  /** Shown above the chart; by default the title. */
  caption?: string
  /** The latest value, for charts with one line. */
  figure?: string
  /** Instead of it: the value at the cursor. */
  figureAt?: (ms: number) => string
  /** Below the caption: `min 1, mean 2, max 3, p95 2.9`. */
  statistics?: string
  /** Beside the latest value. */
  mark?: ReactNode
  /** A text for screen readers. */
  summary: string
  /** Name of exported files, without the metric. */
  fileName?: string
}

export function ChartHeader({
  title,
  caption = title,
  figure,
  figureAt,
  mark,
  statistics,
  group,
  children,
}: ChartProps & { children?: ReactNode }) {
  const cursorMs = useSyncExternalStore(group.subscribe, group.moment)
  const shown = cursorMs !== undefined && figureAt ? figureAt(cursorMs) : figure
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600} component="figcaption" truncate>
          {caption}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {cursorMs === undefined && mark}
          {shown && (
            <Text size="lg" fw={600} className="figures" style={{ whiteSpace: 'nowrap' }}>
              {shown}
            </Text>
          )}
          {children}
        </Group>
      </Group>
      {statistics !== undefined && (
        <Text size="xs" c="dimmed" className="figures" truncate>
          {statistics}
        </Text>
      )}
    </>
  )
}

/** The chart itself. Arrow keys move its cursor. */
export function Plot(props: ChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState<NearMarks>()
  const { onKeyDown, hideCursor } = usePlot(container, props, setNear)
  return (
    <div className="chart-area">
      <div
        ref={container}
        role="img"
        aria-label={`${props.title}. ${props.summary}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={hideCursor}
      />
      {near && <MarkTooltip {...near} />}
    </div>
  )
}
