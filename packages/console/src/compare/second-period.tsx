import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatDateTime, parseDateTime, utcOffset } from '../format/time.ts'
import { TimeField } from '../format/time-field.tsx'
import { type Period, periodText } from '../range/time-range.ts'
import { type Second, secondPeriod } from './compare-search.ts'

const choices = [
  ['before', 'Period before'],
  ['day', 'Day before'],
  ['week', 'Week before'],
] as const

interface SecondPeriodProps {
  first: Period
  second: Second
  onChange: (second: Second) => void
}

/** Selects the second period, which has the length of the first. */
export function SecondPeriod({ first, second, onChange }: SecondPeriodProps) {
  const period = secondPeriod(first, second)
  // The second of a live range moves: a change of the field does not follow it.
  const shown = formatDateTime(typeof second === 'number' ? second : period.fromMs)
  const [text, setText] = useState(shown)
  const [isEdited, setEdited] = useState(false)
  useEffect(() => {
    if (!isEdited) setText(shown)
  }, [shown, isEdited])
  const apply = () => {
    const start = parseDateTime(text)
    setEdited(false)
    if (start && text !== shown) onChange(start.getTime())
  }
  return (
    <Group gap="md" align="flex-end">
      <Text size="sm" className="figures">
        <b>A</b> {periodText(first)} {utcOffset(first.toMs)}
        <br />
        <b>B</b> {periodText(period)} {utcOffset(period.toMs)}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
        onBlur={apply}
      >
        <TimeField
          label="B starts at"
          size="xs"
          w={230}
          value={text}
          onChange={(next) => {
            setEdited(true)
            setText(next)
          }}
        />
      </form>
      <Group gap={6} role="group" aria-label="Start of period B">
        {choices.map(([value, label]) => (
          <Button
            key={value}
            size="xs"
            variant={second === value ? 'filled' : 'default'}
            aria-pressed={second === value}
            onClick={() => onChange(value)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Group>
  )
}
