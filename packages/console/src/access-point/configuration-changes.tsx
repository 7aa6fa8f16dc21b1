import { Code, Stack, Table, Text } from '@mantine/core'
import type { Change } from './configuration-diff.ts'

/** The values that an edit changes, shown before it is saved. */
export function ConfigurationChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        No changes.
      </Text>
    )
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} id="changes" role="status">
        {changes.length === 1 ? '1 change' : `${changes.length} changes`}
      </Text>
      <Table.ScrollContainer
        minWidth={320}
        maxHeight={260}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-labelledby="changes" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Current</Table.Th>
              <Table.Th>New</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(({ path, before, after }) => (
              <Table.Tr key={path}>
                <Table.Td>{path}</Table.Td>
                <Table.Td>{before === undefined ? 'not set' : <Code>{before}</Code>}</Table.Td>
                <Table.Td>{after === undefined ? 'removed' : <Code>{after}</Code>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
