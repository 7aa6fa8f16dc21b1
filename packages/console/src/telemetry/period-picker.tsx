import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { formatDateTime, parseDateTime } from '../format/time.ts'
import { TimeField } from '../format/time-field.tsx'

const hour = 3_600_000
const shortcuts = [
  ['Last hour', hour],
  ['Last 6 hours', 6 * hour],
  ['Last day', 24 * hour],
] as const

interface PeriodPickerProps {
  isReading: boolean
  onRead: (from: Date, to: Date) => void
  onCancel: () => void
}

/** Selects the start and the end of a period. */
export function PeriodPicker({ isReading, onRead, onCancel }: PeriodPickerProps) {
  const [from, setFrom] = useState(() => formatDateTime(Date.now() - hour))
  const [to, setTo] = useState(() => formatDateTime(Date.now()))
  const [start, end] = [parseDateTime(from), parseDateTime(to)]
  const problem = problemOf(start, end)
  const shortcut = (ms: number) => {
    const now = new Date()
    const before = new Date(now.getTime() - ms)
    setFrom(formatDateTime(before.getTime()))
    setTo(formatDateTime(now.getTime()))
    onRead(before, now)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (start && end && !problem) onRead(start, end)
      }}
    >
      <Group gap="sm" mb="sm">
        {shortcuts.map(([label, ms]) => (
          <Button key={label} size="xs" variant="default" disabled={isReading} onClick={() => shortcut(ms)}>
            {label}
          </Button>
        ))}
      </Group>
      <Group gap="sm" align="flex-end">
        <TimeField label="From" size="xs" w={200} value={from} onChange={setFrom} />
        <TimeField label="To" size="xs" w={200} value={to} onChange={setTo} error={problem} />
        {isReading ? (
          <Button size="xs" variant="default" onClick={onCancel}>
            Stop
          </Button>
        ) : (
          <Button size="xs" type="submit" disabled={problem !== undefined}>
            Apply
          </Button>
        )}
      </Group>
    </form>
  )
}

function problemOf(start: Date | undefined, end: Date | undefined): string | undefined {
  if (!start || !end) return 'Enter both times.'
  return end <= start ? 'The end must be after the start.' : undefined
}
