import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { formatRecentTime, utcOffset } from '../format/time.ts'
import type { ChartGroup } from './chart-group.ts'

interface CursorValuesProps {
  group: ChartGroup
  /** What is at a moment, in words. */
  at: (moment: number) => { label: string; value: string }[]
}

/** Where the cursor is: the moment, and the value of each chart. Its room is kept while it is nowhere. */
export function CursorValues({ group, at }: CursorValuesProps) {
  const moment = useSyncExternalStore(group.subscribe, group.moment)
  const isPointed = moment !== undefined
  return (
    <div className="readout">
      {!isPointed && (
        <Text size="xs" c="dimmed">
          Hover over a chart to read all charts at that time. Drag to zoom in, double-click to zoom out.
        </Text>
      )}
      <dl aria-label="Values at the cursor" aria-hidden={!isPointed} data-idle={!isPointed || undefined}>
        <div>
          <dt>Time</dt>
          <dd>
            {formatRecentTime(moment ?? 0)} {utcOffset(moment ?? 0)}
          </dd>
        </div>
        {at(moment ?? 0).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
