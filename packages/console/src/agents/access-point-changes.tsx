import { Code, Stack, Table, Text } from '@mantine/core'
import type { Change } from './access-point-diff.ts'

/** What an edit would change, value by value, before it does. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        Nothing is changed yet.
      </Text>
    )
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} id="changes" role="status">
        {changes.length === 1 ? 'One value changes' : `${changes.length} values change`}
      </Text>
      <Table.ScrollContainer
        minWidth={320}
        maxHeight={260}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-labelledby="changes" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Now</Table.Th>
              <Table.Th>Then</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(({ path, before, after }) => (
              <Table.Tr key={path}>
                <Table.Td>{path}</Table.Td>
                <Table.Td>{before === undefined ? 'not there' : <Code>{before}</Code>}</Table.Td>
                <Table.Td>{after === undefined ? 'taken out' : <Code>{after}</Code>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
