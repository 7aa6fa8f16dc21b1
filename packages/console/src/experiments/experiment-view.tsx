import type { ExperimentDetails } from '@manc/sdk'
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { Timestamp } from '../format/timestamp.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { saveFile } from '../ui/save-file.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { CompareRuns } from './compare-runs.tsx'
import { progressText, stateLabels, worldText } from './experiment-texts.ts'
import { ResultsTable } from './results-table.tsx'
import { useExperiment, useExperimentActions } from './use-experiments.ts'

/** Progress and results of one experiment. */
export function ExperimentView({ id, onRemoved }: { id: string; onRemoved: () => void }) {
  const { data: experiment, error, refetch } = useExperiment(id)
  if (!experiment && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!experiment) return <Loading what="experiment" />
  const { run_list: runs } = experiment
  const done = runs.reduce(
    (sum, { state, progress_pct: percent }) =>
      sum + (state === 'running' ? percent / 100 : state === 'waiting' ? 0 : 1),
    0,
  )
  const failure = runs.find(({ detail }) => detail !== null)?.detail
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Text size="sm" role="status" className="figures">
          {stateLabels[experiment.state]}. {progressText(experiment)}.
        </Text>
        <Text size="sm" c="dimmed">
          {worldText(experiment)}. Seeds {experiment.seed}-1 to {experiment.seed}-{experiment.repetitions}.{' '}
          {experiment.command &&
            `What if: ${experiment.command.command} at ${experiment.command.ap_id}, two minutes after the start. `}
          Started by {experiment.owner} <Timestamp ms={Date.parse(experiment.created_at)} />.
        </Text>
      </Stack>
      {experiment.world.network && (
        <Text size="sm" c="dimmed">
          Positions, clients, their throughput and what they hear are those of{' '}
          <Timestamp ms={Date.parse(experiment.world.network.at)} />. Where clients walk, and what access
          points do not report, is assumed and differs between seeds. Access points are not affected.
        </Text>
      )}
      {experiment.ended_at === null && (
        <Progress value={(100 * done) / experiment.runs} size={10} aria-label="Progress of all runs" />
      )}
      {failure && (
        <Alert color="red" title="Some runs have no result">
          {failure}
        </Alert>
      )}
      <Actions experiment={experiment} onRemoved={onRemoved} />
      <ResultsTable experiment={experiment} />
      <CompareRuns experiment={experiment} />
    </Stack>
  )
}

function Actions({ experiment, onRemoved }: { experiment: ExperimentDetails; onRemoved: () => void }) {
  const { id, name, owner, ended_at: endedAt } = experiment
  const manc = useManc()
  const { cancel, remove } = useExperimentActions(id)
  const me = useCurrentUser()
  // The controller refuses others.
  const isChangeable = me.isAdmin || me.username?.toLowerCase() === owner.toLowerCase()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const save = async (what: 'runs' | 'series') => {
    try {
      const lines = await Array.fromAsync(manc.experiments.export(id, { what }))
      saveFile(`experiment-${id}-${what}.csv`, new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }))
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  const error = cancel.error ?? failure
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button size="xs" variant="default" onClick={() => void save('runs')}>
          Runs as CSV
        </Button>
        <Button size="xs" variant="default" onClick={() => void save('series')}>
          Time series as CSV
        </Button>
        {isChangeable && endedAt === null && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel experiment
          </Button>
        )}
        {isChangeable && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            Delete experiment
          </Button>
        )}
      </Group>
      {error !== undefined && error !== null && (
        <Alert color="red" role="alert">
          {errorText(error)}
        </Alert>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirmLabel="Delete experiment"
          onConfirm={async () => {
            await remove.mutateAsync()
            onRemoved()
          }}
          onCancel={() => setAsking(false)}
        >
          Its results are deleted. Export them first if you need them.
        </ConfirmDialog>
      )}
    </Stack>
  )
}
