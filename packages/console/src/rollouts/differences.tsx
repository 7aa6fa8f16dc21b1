import type { RolloutPreview } from '@manc/sdk'
import { Code, Stack, Table, Text } from '@mantine/core'
import { changesBetween } from '../access-point/configuration-diff.ts'
import { formatCount, formatNumber } from '../format/number.ts'

/** What changes at each access point. */
export function Differences({ preview }: { preview: RolloutPreview }) {
  const { differences } = preview
  return (
    <Stack gap="sm">
      <Text size="sm" role="status" className="figures">
        {summaryOf(preview)}
      </Text>
      {differences.length > 0 && (
        <Table.ScrollContainer
          minWidth={320}
          maxHeight={360}
          scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        >
          <Table withTableBorder stickyHeader aria-label="Differences">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Access point</Table.Th>
                <Table.Th>Field</Table.Th>
                <Table.Th>Current</Table.Th>
                <Table.Th>New</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differences.flatMap(({ ap_id: apId, before, after }) =>
                changesBetween(before, after).map((change) => (
                  <Table.Tr key={`${apId} ${change.path}`}>
                    <Table.Td>{apId}</Table.Td>
                    <Table.Td>{change.path}</Table.Td>
                    <Table.Td>
                      {change.before === undefined ? 'not set' : <Code>{change.before}</Code>}
                    </Table.Td>
                    <Table.Td>
                      {change.after === undefined ? 'removed' : <Code>{change.after}</Code>}
                    </Table.Td>
                  </Table.Tr>
                )),
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}

function summaryOf({ agents, unchanged, unknown, differences }: RolloutPreview): string {
  const changing = agents - unchanged
  return [
    `${formatNumber(changing)} of ${formatCount(agents, 'access point')} will change.`,
    ...(unchanged > 0 ? [`${formatNumber(unchanged)} already have these values.`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown, 'ID')} not found.`] : []),
    ...(differences.length < changing ? [`The first ${formatNumber(differences.length)} are shown.`] : []),
  ].join(' ')
}
