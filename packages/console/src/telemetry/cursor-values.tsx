import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { formatElapsed, formatRecentTime, utcOffset } from '../format/time.ts'
import type { ChartGroup } from './chart-group.ts'

interface CursorValuesProps {
  group: ChartGroup
  /** Times are those since the start of a period. */
  isElapsed?: boolean
  /** The values at a time. */
  at: (ms: number) => { label: string; value: string }[]
}

/** The time and the values at the cursor, in one line; without a cursor a hint has its place. */
export function CursorValues({ group, at, isElapsed = false }: CursorValuesProps) {
  const cursorMs = useSyncExternalStore(group.subscribe, group.moment)
  if (cursorMs === undefined)
    return (
      <Text size="xs" c="dimmed" className="readout">
        Hover over a chart to read all charts at that time. Drag to zoom in, double-click to zoom out.
      </Text>
    )
  return (
    <div className="readout">
      <dl aria-label="Values at the cursor">
        <div>
          <dt>Time</dt>
          <dd>
            {isElapsed ? formatElapsed(cursorMs) : `${formatRecentTime(cursorMs)} ${utcOffset(cursorMs)}`}
          </dd>
        </div>
        {at(cursorMs).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
