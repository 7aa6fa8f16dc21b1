import { Group, NativeSelect, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { type DurationUnit, durationUnits, secondsOf, unitOfDuration } from '../format/duration.ts'

interface DurationFieldProps {
  label: string
  description?: string
  /** Seconds; a text while the field is empty. */
  value: number | string
  onChange: (seconds: number | string) => void
  maxS: number
  error?: string | undefined
}

/** A duration with its unit. */
export function DurationField({ label, description, value, onChange, maxS, error }: DurationFieldProps) {
  const [unit, setUnit] = useState<DurationUnit>(() => unitOfDuration(Number(value)))
  const length = secondsOf(unit)
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <NumberInput
        style={{ flex: 1 }}
        label={label}
        description={description}
        min={0}
        max={maxS / length}
        clampBehavior="strict"
        allowDecimal={false}
        value={typeof value === 'number' ? value / length : value}
        onChange={(count) => onChange(typeof count === 'number' ? count * length : count)}
        error={error}
      />
      <NativeSelect
        aria-label={`Unit of ${label}`}
        w={76}
        data={[...durationUnits].map(([name]) => name)}
        value={unit}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as DurationUnit
          if (typeof value === 'number') onChange(Math.min(maxS, (value / length) * secondsOf(next)))
          setUnit(next)
        }}
      />
    </Group>
  )
}
