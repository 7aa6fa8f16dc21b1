import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'

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

/** From when to when, in the time of whoever looks. */
export function PeriodPicker({ isReading, onRead, onCancel }: PeriodPickerProps) {
  const [from, setFrom] = useState(() => localText(Date.now() - hour))
  const [to, setTo] = useState(() => localText(Date.now()))
  const [start, end] = [new Date(from), new Date(to)]
  const problem = problemOf(start, end)
  const shortcut = (ms: number) => {
    const now = new Date()
    const before = new Date(now.getTime() - ms)
    setFrom(localText(before.getTime()))
    setTo(localText(now.getTime()))
    onRead(before, now)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) onRead(start, end)
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
        <TextInput
          label="From"
          type="datetime-local"
          step={1}
          size="xs"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          label="To"
          type="datetime-local"
          step={1}
          size="xs"
          value={to}
          error={problem}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
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

function problemOf(start: Date, end: Date): string | undefined {
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return 'Enter a date and a time.'
  return end <= start ? 'The end must be after the start.' : undefined
}

/** As the browser's own field takes it: local, without a zone. */
function localText(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 19)
}
