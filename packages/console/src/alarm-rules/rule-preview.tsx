import type { AlarmPreview } from '@manc/sdk'
import { Alert, Button, Group, Paper, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { formatCount, formatNumber } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'

interface RulePreviewProps {
  /** False for rules without a stored value. */
  isPossible: boolean
  /** Undefined if the form is not complete. */
  onPreview: () => Promise<AlarmPreview> | undefined
}

/** The alarms that a rule would have raised in the last 24 hours. */
export function RulePreview({ isPossible, onPreview }: RulePreviewProps) {
  const preview = useMutation({ mutationFn: async () => (await onPreview()) ?? null })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconHistory size={14} />}
          disabled={!isPossible}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          Preview last 24 h
        </Button>
        <Text size="xs" c="dimmed">
          {isPossible
            ? 'Counts the alarms that the rule would have raised. Nothing is saved.'
            : 'There is no preview for presence.'}
        </Text>
      </Group>
      {preview.isError && (
        <Alert color="red" role="alert">
          {errorText(preview.error)}
        </Alert>
      )}
      {preview.data && <Outcome {...preview.data} />}
    </Stack>
  )
}

function Outcome({ alarms, agents, is_complete: isComplete }: AlarmPreview) {
  return (
    <Paper withBorder p="md" role="status" aria-label="Preview">
      <Stack gap="sm">
        <Text size="sm" fw={600} className="figures">
          {alarms === 0
            ? 'It would have raised no alarm.'
            : `It would have raised ${formatCount(alarms, 'alarm')} on ${agents.length === 100 ? 'at least 100 access points' : formatCount(agents.length, 'access point')}.`}
        </Text>
        {!isComplete && (
          <Text size="sm">
            Not complete: too many access points fulfil the condition. Limit the rule with IDs.
          </Text>
        )}
        {agents.length > 0 && (
          <ScrollArea.Autosize mah={200} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Table fz="sm" className="figures" aria-label="Access points of the preview">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Access point</Table.Th>
                  <Table.Th ta="right">Alarms</Table.Th>
                  <Table.Th ta="right">Minutes</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {agents.map(({ ap_id: apId, alarms: count, minutes }) => (
                  <Table.Tr key={apId}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{apId}</Table.Td>
                    <Table.Td ta="right">{formatNumber(count)}</Table.Td>
                    <Table.Td ta="right">{formatNumber(minutes)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        )}
      </Stack>
    </Paper>
  )
}
