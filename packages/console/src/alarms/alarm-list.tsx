import '../ui/record-list.css'
import type { Alarm } from '@manc/sdk'
import { Paper } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useNow } from '../ui/states.tsx'
import { AlarmRow } from './alarm-row.tsx'

interface AlarmListProps {
  alarms: readonly Alarm[]
  /** Undefined for users who may not acknowledge. */
  selection:
    | {
        ids: ReadonlySet<string>
        onToggle: (alarm: Alarm) => void
        onAcknowledge: (alarm: Alarm) => void
      }
    | undefined
}

/** Only the visible rows are rendered. */
export function AlarmList({ alarms, selection }: AlarmListProps) {
  const now = useNow()
  const container = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // Filters above the list change its position.
  useLayoutEffect(() => setScrollMargin(container.current?.offsetTop ?? 0))
  const rows = useWindowVirtualizer({
    count: alarms.length,
    estimateSize: () => 64,
    getItemKey: (index) => alarms[index]?.id ?? index,
    overscan: 12,
    scrollMargin,
  })
  return (
    <Paper withBorder ref={container}>
      <div
        role="list"
        aria-label="Alarms, newest first"
        style={{ height: rows.getTotalSize(), position: 'relative' }}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const alarm = alarms[index]
          if (!alarm) return null
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={alarms.length}
              className={index === 0 ? undefined : 'entry-below'}
              style={{
                position: 'absolute',
                insetInline: 0,
                transform: `translateY(${start - scrollMargin}px)`,
              }}
            >
              <AlarmRow
                alarm={alarm}
                nowMs={now}
                selection={
                  selection && {
                    isSelected: selection.ids.has(alarm.id),
                    onToggle: () => selection.onToggle(alarm),
                    onAcknowledge: () => selection.onAcknowledge(alarm),
                  }
                }
              />
            </div>
          )
        })}
      </div>
    </Paper>
  )
}
