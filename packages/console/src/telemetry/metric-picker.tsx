import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { grouped, type Metric } from './metrics.ts'

interface MetricPickerProps {
  metrics: readonly Metric[]
  selected: readonly string[]
  onChange: (names: string[]) => void
}

/** Selects the charts to show, in the order of the list. */
export function MetricPicker({ metrics, selected, onChange }: MetricPickerProps) {
  const { common, specific } = grouped(metrics)
  const order = [...common, ...specific].map(({ name }) => name)
  const select = (names: string[]) => onChange(order.filter((name) => names.includes(name)))
  return (
    <Popover position="bottom-end" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconAdjustmentsHorizontal size={14} />}>
          Metrics ({selected.length})
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <ScrollArea.Autosize mah={420} type="auto">
          <Checkbox.Group value={[...selected]} onChange={select} label="Charts to show" p="md">
            <Stack gap="sm" pt="sm">
              <MetricCheckboxes title="Common" metrics={common} />
              <MetricCheckboxes title="Technology-specific" metrics={specific} />
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
        <Group gap="sm" p="sm">
          <Button size="compact-xs" variant="default" onClick={() => select(order)}>
            Select all
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => select(common.map(({ name }) => name))}>
            Select common
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function MetricCheckboxes({ title, metrics }: { title: string; metrics: readonly Metric[] }) {
  if (metrics.length === 0) return null
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {metrics.map(({ name, label, unit }) => (
        <Checkbox key={name} size="xs" value={name} label={unit ? `${label} (${unit})` : label} />
      ))}
    </Stack>
  )
}
