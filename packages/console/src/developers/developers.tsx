import { Button, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconBook, IconFileCode } from '@tabler/icons-react'
import { CodeExamples } from './code-examples.tsx'
import { HealthCard } from './health-card.tsx'
import { TokenCard } from './token-card.tsx'

/** Paths in the repository of the controller. */
const guides = [
  ['Write an application', 'docs/apps.md', 'Log in, request data, read results, subscribe, send commands'],
  ['Write an agent', 'docs/devices.md', 'HTTP, MQTT, commands, metric names'],
  ['Use the SDK', 'docs/sdk.md', 'Every operation as a method, in Node.js and in browsers'],
  ['Jobs and commands', 'docs/flows', 'States, guarantees, behaviour after an outage'],
] as const

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
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Paper withBorder p="lg">
          <Stack gap="md">
            <Title order={2} size="h5">
              Guides
            </Title>
            <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {guides.map(([title, path, about]) => (
                <li key={path}>
                  <Text size="sm" fw={500}>
                    {title} <Code>{path}</Code>
                  </Text>
                  <Text size="sm" c="dimmed">
                    {about}
                  </Text>
                </li>
              ))}
            </Stack>
          </Stack>
        </Paper>
        <HealthCard />
      </SimpleGrid>
    </Stack>
  )
}
