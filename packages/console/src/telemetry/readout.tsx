import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import type { ChartGroup } from './chart-group.ts'
import { clock } from './plot-options.ts'

interface ReadoutProps {
  group: ChartGroup
  /** What is at a moment, in words. */
  at: (moment: number) => { label: string; value: string }[]
}

/** Where the cursor is: the moment, and the value of each chart. Its room is kept while it is nowhere. */
export function Readout({ group, at }: ReadoutProps) {
  const moment = useSyncExternalStore(group.subscribe, group.moment)
  const isPointed = moment !== undefined
  return (
    <div className="readout">
      {!isPointed && (
        <Text size="xs" c="dimmed">
          Point at a chart to read all of them at one moment. Drag to zoom in, double-click to zoom out.
        </Text>
      )}
      <dl aria-label="At the cursor" aria-hidden={!isPointed} data-idle={!isPointed || undefined}>
        <div>
          <dt>At</dt>
          <dd>{clock(moment ?? 0)}</dd>
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
