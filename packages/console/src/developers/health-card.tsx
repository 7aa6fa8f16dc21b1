import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Age, Failure, Loading } from '../ui/states.tsx'

interface Health {
  status: string
  engines: Record<string, 'up' | 'down'>
}

interface Document {
  info: { version: string }
  paths: Record<string, object>
}

const engineNames: Record<string, string> = {
  postgres: 'PostgreSQL',
  rabbitmq: 'RabbitMQ',
  victoriametrics: 'VictoriaMetrics',
}

/** Several metrics stores are numbered: `victoriametrics-1`. */
function engineName(engine: string): string {
  const [name = engine, number] = engine.split('-')
  return [engineNames[name] ?? name, number].filter(Boolean).join(' ')
}

/** These endpoints are not part of the API, so the SDK has no methods for them. A controller that is not ready answers 503 with the same body. */
async function fetchJson<Body>(path: string, signal: AbortSignal): Promise<Body> {
  const response = await fetch(path, { signal })
  return (await response.json()) as Body
}

export function HealthCard() {
  const health = useQuery({
    queryKey: ['developers', 'health'],
    queryFn: ({ signal }) => fetchJson<Health>('/readyz', signal),
    refetchInterval: 5000,
  })
  const document = useQuery({
    queryKey: ['developers', 'document'],
    staleTime: 600_000,
    queryFn: ({ signal }) => fetchJson<Document>('/openapi.json', signal),
  })
  const operations = Object.values(document.data?.paths ?? {}).flatMap((each) => Object.keys(each)).length
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Version and health
          </Title>
          <Age at={health.dataUpdatedAt} lateAfterS={15} />
        </Group>
        {document.data && (
          <Text size="sm">
            API {document.data.info.version}, {operations} operations
          </Text>
        )}
        {health.isPending && <Loading what="health" />}
        {health.isError && !health.data && (
          <Failure error={health.error} onRetry={() => void health.refetch()} />
        )}
        {health.data && (
          <>
            <Text size="sm" role="status">
              {health.data.status === 'ready'
                ? 'Controller ready'
                : 'Controller not ready. Check the engines that are down.'}
            </Text>
            <Stack component="ul" gap="sm" m={0} p={0}>
              {Object.entries(health.data.engines).map(([name, state]) => (
                <Group key={name} component="li" gap={6} wrap="nowrap">
                  {state === 'up' ? (
                    <IconCircleCheck size={18} color="var(--mantine-color-green-7)" aria-hidden />
                  ) : (
                    <IconCircleX size={18} color="var(--mantine-color-error)" aria-hidden />
                  )}
                  <Text size="sm">
                    {engineName(name)} is {state}
                  </Text>
                </Group>
              ))}
            </Stack>
          </>
        )}
      </Stack>
    </Paper>
  )
}
