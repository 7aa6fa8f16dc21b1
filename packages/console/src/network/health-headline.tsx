import type { EmulatedChoice, Health } from '@manc/sdk'
import { Button, Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useFleetSummary } from '../fleet/fleet.ts'
import { HealthIcon, troubles } from '../fleet/health.tsx'
import { formatNumber } from '../format/number.ts'

interface HealthHeadlineProps {
  emulated: EmulatedChoice
  /** Shown on the map and in the list; empty means all. */
  selected: readonly Health[]
  onSelect: (health: Health[]) => void
}

/** How many access points need attention. Each count filters the map and the list. */
export function HealthHeadline({ emulated, selected, onSelect }: HealthHeadlineProps) {
  const { data } = useFleetSummary(emulated)
  if (!data) return null
  const shown = troubles.filter((health) => data.health[health] > 0 || selected.includes(health))
  const toggle = (health: Health) =>
    onSelect(selected.includes(health) ? selected.filter((each) => each !== health) : [...selected, health])
  return (
    <Group gap={6} role="group" aria-label="Health of the network">
      {shown.length === 0 && <NoTrouble good={data.health.good} total={data.total} />}
      {shown.map((health) => (
        <Button
          key={health}
          size="compact-sm"
          variant={selected.includes(health) ? 'filled' : 'default'}
          color="dark"
          aria-pressed={selected.includes(health)}
          leftSection={<HealthIcon health={health} />}
          onClick={() => toggle(health)}
        >
          <span className="figures">{formatNumber(data.health[health], 0)}</span>&nbsp;{health}
        </Button>
      ))}
    </Group>
  )
}

function NoTrouble({ good, total }: { good: number; total: number }) {
  return (
    <Text size="sm" c="dimmed" className="figures">
      <Group gap={6} component="span" wrap="nowrap">
        {good === total && <IconCircleCheck size={16} aria-hidden />}
        {good === total ? 'All good' : `${formatNumber(good, 0)} of ${formatNumber(total, 0)} good, none bad`}
      </Group>
    </Text>
  )
}
