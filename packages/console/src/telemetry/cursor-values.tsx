import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { formatRecentTime, utcOffset } from '../format/time.ts'
import type { ChartGroup } from './chart-group.ts'

interface CursorValuesProps {
  group: ChartGroup
  /** The values at a time. */
  at: (ms: number) => { label: string; value: string }[]
}

/** The time and the values at the cursor. Keeps its space without a cursor. */
export function CursorValues({ group, at }: CursorValuesProps) {
  const cursorMs = useSyncExternalStore(group.subscribe, group.moment)
  const hasCursor = cursorMs !== undefined
  return (
    <div className="readout">
      {!hasCursor && (
        <Text size="xs" c="dimmed">
          Hover over a chart to read all charts at that time. Drag to zoom in, double-click to zoom out.
        </Text>
      )}
      <dl aria-label="Values at the cursor" aria-hidden={!hasCursor} data-idle={!hasCursor || undefined}>
        <div>
          <dt>Time</dt>
          <dd>
            {formatRecentTime(cursorMs ?? 0)} {utcOffset(cursorMs ?? 0)}
          </dd>
        </div>
        {at(cursorMs ?? 0).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
