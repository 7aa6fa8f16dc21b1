import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { grouped, type Metric } from './metrics.ts'

interface MetricPickerProps {
  metrics: readonly Metric[]
  chosen: readonly string[]
  onChange: (names: string[]) => void
}

/** Which charts to show. In the order of the list, not of the clicks. */
export function MetricPicker({ metrics, chosen, onChange }: MetricPickerProps) {
  const { common, own } = grouped(metrics)
  const order = [...common, ...own].map(({ name }) => name)
  const choose = (names: string[]) => onChange(order.filter((name) => names.includes(name)))
  return (
    <Popover position="bottom-end" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconAdjustmentsHorizontal size={14} />}>
          Metrics ({chosen.length})
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <ScrollArea.Autosize mah={420} type="auto">
          <Checkbox.Group value={[...chosen]} onChange={choose} label="Charts to show" p="md">
            <Stack gap="sm" pt="sm">
              <Choices title="Common" metrics={common} />
              <Choices title="Technology-specific" metrics={own} />
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
        <Group gap="sm" p="sm">
          <Button size="compact-xs" variant="default" onClick={() => choose(order)}>
            Select all
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => choose(common.map(({ name }) => name))}>
            Select common
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function Choices({ title, metrics }: { title: string; metrics: readonly Metric[] }) {
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
