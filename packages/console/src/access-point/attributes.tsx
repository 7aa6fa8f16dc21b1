import { Stack, Text } from '@mantine/core'
import { Failure } from '../ui/states.tsx'
import { useLiveTexts } from './access-point-data.ts'

interface AttributesProps {
  apId: string
  configuration: Record<string, unknown>
}

/** Configured values, and text values reported by the agent. */
export function Attributes({ apId, configuration }: AttributesProps) {
  const { texts, error, retry } = useLiveTexts(apId)
  const configured = Object.entries(configuration).filter(([, value]) => typeof value !== 'object')
  const reported = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <Stack gap="md">
      <ValueList title="Configured" emptyText="No configured values." values={configured} />
      <ValueList title="Reported by agent" emptyText="No text values reported." values={reported} />
      {error !== undefined && <Failure error={error} onRetry={retry} />}
    </Stack>
  )
}

function ValueList({
  title,
  emptyText,
  values,
}: {
  title: string
  emptyText: string
  values: [string, unknown][]
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {values.length === 0 && <Text size="sm">{emptyText}</Text>}
      <dl className="facts">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd className="figures">{String(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** `telemetry_interval_s` as `Telemetry interval (s)` */
const labelOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ').replace(/ s$/, ' (s)')
