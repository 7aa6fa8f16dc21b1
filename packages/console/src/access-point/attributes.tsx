import { Stack, Text } from '@mantine/core'
import { Failure } from '../ui/states.tsx'
import { useLiveTexts } from './access-point-data.ts'

interface AttributesProps {
  apId: string
  configuration: Record<string, unknown>
}

/** What is known of it in words: out of its configuration, and as it says itself. */
export function Attributes({ apId, configuration }: AttributesProps) {
  const { texts, error, retry } = useLiveTexts(apId)
  const set = Object.entries(configuration).filter(([, value]) => typeof value !== 'object')
  const told = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <Stack gap="md">
      <Facts title="Configured" none="No configured values." facts={set} />
      <Facts title="Reported by agent" none="No text values reported." facts={told} />
      {error !== undefined && <Failure error={error} onRetry={retry} />}
    </Stack>
  )
}

function Facts({ title, none, facts }: { title: string; none: string; facts: [string, unknown][] }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {facts.length === 0 && <Text size="sm">{none}</Text>}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{inWords(name)}</dt>
            <dd className="figures">{String(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** `telemetry_interval_s` as words. */
const inWords = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ').replace(/ s$/, ' (s)')
