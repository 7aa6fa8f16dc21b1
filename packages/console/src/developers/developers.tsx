import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconBook, IconFileCode } from '@tabler/icons-react'
import { ApplicationsCard } from './applications-card.tsx'
import { CodeExamples } from './code-examples.tsx'
import { GrafanaCard } from './grafana-card.tsx'
import { GuidesCard } from './guides-card.tsx'
import { HealthCard } from './health-card.tsx'
import { TokenCard } from './token-card.tsx'

/** API reference, token, code examples, guides and health. */
export function Developers() {
  return (
    <Stack gap="lg" p="lg" maw={1040} mx="auto">
      <div>
        <Title order={1} size="h4">
          Developers
        </Title>
        <Text c="dimmed" size="sm">
          Everything in this console is available through the API.
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Paper withBorder p="lg">
          <Stack gap="md">
            <div>
              <Title order={2} size="h5">
                API
              </Title>
              <Text size="sm" c="dimmed">
                Try all operations in the browser, or use the OpenAPI document.
              </Text>
            </div>
            <Group gap="sm">
              <Button component="a" href="/docs" leftSection={<IconBook size={16} />}>
                Open API reference
              </Button>
              <Button
                component="a"
                href="/openapi.json"
                variant="default"
                leftSection={<IconFileCode size={16} />}
              >
                Open openapi.json
              </Button>
            </Group>
          </Stack>
        </Paper>
        <TokenCard />
      </SimpleGrid>
      <CodeExamples />
      <ApplicationsCard />
      <GrafanaCard />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <GuidesCard />
        <HealthCard />
      </SimpleGrid>
    </Stack>
  )
}
