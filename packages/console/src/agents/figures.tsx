import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { Failure } from '../frame/states.tsx'
import { useFleetSummary } from './fleet.ts'
import { Glyph } from './glyph.tsx'

/** The network in a few numbers. */
export function Figures() {
  const summary = useFleetSummary()
  if (summary.isError && !summary.data) return <Failure error={summary.error} />
  const { data } = summary
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" px="lg" pb="sm">
      <Figure label="Online" value={data?.online} of={data?.total} />
      {data?.technologies
        .filter(({ technology, total }) => technology !== 'other' || total > 0)
        .map(({ technology, online, total }) => (
          <Figure key={technology} label={technology} value={online} of={total} technology={technology} />
        ))}
    </SimpleGrid>
  )
}

interface FigureProps {
  label: string
  value: number | undefined
  of: number | undefined
  technology?: Parameters<typeof Glyph>[0]['technology']
}

function Figure({ label, value, of, technology }: FigureProps) {
  return (
    <Paper withBorder px="md" py="sm">
      <Group gap={6} wrap="nowrap">
        {technology && <Glyph technology={technology} />}
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      </Group>
      <Text className="figures" fz={28} lh={1.2} fw={600} component="p" m={0}>
        {value?.toLocaleString() ?? '–'}
        <Text span c="dimmed" size="sm">
          {' '}
          of {of?.toLocaleString() ?? '–'}
        </Text>
      </Text>
    </Paper>
  )
}
