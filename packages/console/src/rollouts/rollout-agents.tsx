import type { Rollout, RolloutAgent, RolloutAgentState } from '@manc/sdk'
import { Anchor, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../format/number.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { agentStateLabels, agentStates } from './rollout-texts.ts'
import { useRolloutAgents } from './use-rollouts.ts'

const pageSize = 100

/** The access points of a rollout with their states, all or those in one state. */
export function RolloutAgents({ rollout }: { rollout: Rollout }) {
  const { outcome } = useSearch({ from: '/inside/administration/rollouts' })
  const [limit, setLimit] = useState(pageSize)
  const list = useRolloutAgents(rollout, outcome, limit)
  const shown = list.data?.slice(0, limit)
  return (
    <Stack gap="sm">
      <OutcomeField rollout={rollout} outcome={outcome} />
      {list.isPending && <Loading what="access points" />}
      {list.isError && !list.data && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {shown?.length === 0 && (
        <Text size="sm" c="dimmed">
          No access point is in this state.
        </Text>
      )}
      {shown && shown.length > 0 && <AgentTable agents={shown} />}
      {(list.data?.length ?? 0) > limit && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setLimit((n) => n + pageSize)}>
            Show more access points
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface OutcomeFieldProps {
  rollout: Rollout
  outcome: RolloutAgentState | undefined
}

function OutcomeField({ rollout: { id, progress, agents }, outcome }: OutcomeFieldProps) {
  const navigate = useNavigate()
  const all = { value: '', label: `All (${formatNumber(agents)})` }
  const states = agentStates
    .filter((state) => progress[state] > 0 || state === outcome)
    .map((state) => ({
      value: state,
      label: `${agentStateLabels[state]} (${formatNumber(progress[state])})`,
    }))
  return (
    <Select
      label="Access points"
      size="xs"
      maw={260}
      data={[all, ...states]}
      value={outcome ?? ''}
      allowDeselect={false}
      onChange={(value) => {
        const chosen = agentStates.find((state) => state === value)
        void navigate({
          to: '/administration/rollouts',
          search: { open: id, ...(chosen && { outcome: chosen }) },
          replace: true,
        })
      }}
    />
  )
}

function AgentTable({ agents }: { agents: readonly RolloutAgent[] }) {
  return (
    <Table.ScrollContainer
      minWidth={320}
      maxHeight={480}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table withTableBorder stickyHeader className="figures" aria-label="Access points of the rollout">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Access point</Table.Th>
            <Table.Th>Stage</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map(({ ap_id: apId, stage, state, detail, at }) => (
            <Table.Tr key={apId}>
              <Table.Td>
                <Anchor
                  size="sm"
                  renderRoot={(props) => <Link {...props} to="/access-points/$apId" params={{ apId }} />}
                >
                  {apId}
                </Anchor>
              </Table.Td>
              <Table.Td>{stage}</Table.Td>
              <Table.Td>
                {agentStateLabels[state]}
                {detail && (
                  <Text size="xs" c="dimmed">
                    {detail}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{at && <Timestamp ms={Date.parse(at)} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
