import type { EmulatedChoice } from '@manc/sdk'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useId } from 'react'

interface EmulatedFieldProps {
  value: EmulatedChoice
  onChange: (value: EmulatedChoice) => void
}

/** Which emulated access points are included: own ones, also those of others, or none. */
export function EmulatedField({ value, onChange }: EmulatedFieldProps) {
  const id = useId()
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" c="dimmed" id={id}>
        Emulated
      </Text>
      <SegmentedControl
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={onChange}
        data={[
          { value: 'own', label: 'Mine' },
          { value: 'all', label: 'All' },
          { value: 'none', label: 'None' },
        ]}
      />
    </Group>
  )
}
