import { Button, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconBook, IconFileCode } from '@tabler/icons-react'
import { HealthCard } from './health-card.tsx'
import { SnippetPicker } from './snippet-picker.tsx'
import { TokenCard } from './token-card.tsx'

/** In the repository of the controller. */
const guides = [
  ['Write an application', 'docs/apps.md', 'log in, ask, read results, watch, command'],
  ['Write an agent', 'docs/devices.md', 'HTTP, MQTT, commands, what to call metrics'],
  ['Use the client library', 'docs/sdk.md', 'every operation as a method, in Node and in browsers'],
  ['How jobs and commands flow', 'docs/flows', 'states, promises, what happens after an outage'],
] as const

/** How do I do this with a program? */
export function Developers() {
  return (
    <Stack gap="lg" p="lg" maw={1040} mx="auto">
      <div>
        <Title order={1} size="h4">
          Developers
        </Title>
        <Text c="dimmed" size="sm">
          Everything that this console does, a program can do too.
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Paper withBorder p="lg">
          <Stack gap="md">
            <div>
              <Title order={2} size="h5">
                The interface
              </Title>
              <Text size="sm" c="dimmed">
                All operations, with forms to try them; and the same as a document for generators.
              </Text>
            </div>
            <Group gap="sm">
              <Button component="a" href="/docs" leftSection={<IconBook size={16} />}>
                API page
              </Button>
              <Button
                component="a"
                href="/openapi.json"
                variant="default"
                leftSection={<IconFileCode size={16} />}
              >
                openapi.json
              </Button>
            </Group>
          </Stack>
        </Paper>
        <TokenCard />
      </SimpleGrid>
      <SnippetPicker />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Paper withBorder p="lg">
          <Stack gap="md">
            <Title order={2} size="h5">
              Read on
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
