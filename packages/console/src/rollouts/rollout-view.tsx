import type { Rollout, RolloutAgentState } from '@manc/sdk'
import { Alert, Button, Code, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../format/number.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { RolloutAgents } from './rollout-agents.tsx'
import { agentStateLabels, progressText, stageText, stateLabels } from './rollout-texts.ts'
import { useRollout, useRolloutAction } from './use-rollouts.ts'

/** Progress and access points of one rollout. */
export function RolloutView({ id }: { id: string }) {
  const { data: rollout, error, refetch } = useRollout(id)
  if (!rollout && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!rollout) return <Loading what="rollout" />
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Text size="sm" role="status" className="figures">
          {stateLabels[rollout.state]}. {rollout.state === 'running' && `${stageText(rollout)}. `}
          {rollout.next_at && (
            <>
              Observed until <Timestamp ms={Date.parse(rollout.next_at)} />.
            </>
          )}
        </Text>
        <Text size="sm" c="dimmed" className="figures">
          {progressText(rollout)}
        </Text>
      </Stack>
      <ProgressBar rollout={rollout} />
      {rollout.detail && (
        <Alert
          color={rollout.state === 'stopped' ? 'red' : 'gray'}
          title={`Rollout ${stateLabels[rollout.state].toLowerCase()}`}
        >
          {rollout.detail}
        </Alert>
      )}
      <Actions rollout={rollout} />
      <Stack gap={4}>
        <Text size="sm" fw={600} id="rollout-change">
          Change
        </Text>
        <Code block tabIndex={0} role="region" aria-labelledby="rollout-change">
          {JSON.stringify(rollout.change, null, 2)}
        </Code>
        <Text size="xs" c="dimmed">
          Started by {rollout.created_by} <Timestamp ms={Date.parse(rollout.created_at)} />. Failures allowed:{' '}
          {rollout.max_failures}. Observation: {rollout.wait_s} s.
        </Text>
      </Stack>
      <RolloutAgents rollout={rollout} />
    </Stack>
  )
}

/** Other states leave the bar empty. */
const colours = {
  applied: 'var(--mantine-primary-color-filled)',
  unchanged: 'var(--mantine-color-gray-5)',
  failed: 'var(--mantine-color-error)',
  undone: 'var(--mantine-color-gray-6)',
  skipped: 'var(--mantine-color-orange-6)',
} satisfies Partial<Record<RolloutAgentState, string>>

function ProgressBar({ rollout: { progress, agents } }: { rollout: Rollout }) {
  const shown = (Object.keys(colours) as (keyof typeof colours)[]).filter((state) => progress[state] > 0)
  return (
    <Progress.Root size={10}>
      {shown.map((state) => (
        <Progress.Section
          key={state}
          value={(progress[state] / Math.max(1, agents)) * 100}
          color={colours[state]}
          aria-label={`${progress[state]} of ${agents} ${agentStateLabels[state]}`}
        />
      ))}
    </Progress.Root>
  )
}

function Actions({ rollout: { id, state, title, progress } }: { rollout: Rollout }) {
  const action = useRolloutAction(id)
  const [isAsking, setAsking] = useState(false)
  const canResume = state === 'paused' || state === 'stopped'
  const canUndo = state === 'running' || state === 'completed' || canResume
  if (!canUndo) return null
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {state === 'running' && (
          <Button
            size="xs"
            variant="default"
            loading={action.isPending}
            onClick={() => action.mutate('pause')}
          >
            Pause rollout
          </Button>
        )}
        {canResume && (
          <Button
            size="xs"
            variant="default"
            loading={action.isPending}
            onClick={() => action.mutate('resume')}
          >
            Resume rollout
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Undo rollout
        </Button>
      </Group>
      {action.error && !isAsking && (
        <Alert color="red" role="alert">
          {errorText(action.error)}
        </Alert>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Undo “${title}”?`}
          confirmLabel="Undo rollout"
          onConfirm={async () => {
            await action.mutateAsync('undo')
            setAsking(false)
          }}
          onCancel={() => setAsking(false)}
        >
          {formatCount(progress.applied + progress.failed, 'access point')} get back the configuration before
          the rollout. Those whose configuration was changed again since then are skipped.
        </ConfirmDialog>
      )}
    </Stack>
  )
}
