import { Code, Group, Loader, Paper, Stack, Text, ThemeIcon, Timeline } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { formatPreciseTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { ReportedResult, SteeringResult } from './command-result.tsx'
import { progressSteps, stateMeaning } from './command-texts.ts'
import type { SentCommand } from './use-commands.ts'

interface CommandProgressProps {
  sent: SentCommand
  /** Of the access point in the result of a steering command. */
  nameOf?: (apId: string) => string
}

/** The states of one command with the time of each, and its result. */
export function CommandProgress({ sent, nameOf }: CommandProgressProps) {
  const { command, seen, isEnded, problem, result } = sent
  const steps = progressSteps(seen, isEnded)
  return (
    <Paper withBorder p="md" role="group" aria-label={`Command ${command}`}>
      <Stack gap="sm">
        <div>
          <Group gap="sm" wrap="nowrap">
            <Outcome isEnded={isEnded} hasFailed={problem !== undefined} />
            <Code style={{ overflowWrap: 'anywhere' }}>{command}</Code>
          </Group>
          <SteeringResult result={isEnded ? result : undefined} nameOf={nameOf} />
        </div>
        <Timeline active={seen.length - 1} bulletSize={14} lineWidth={2} color={problem ? 'red' : 'brand'}>
          {steps.map(({ state, atMs }) => (
            <Timeline.Item key={state} lineVariant={atMs === undefined ? 'dashed' : 'solid'}>
              <Group justify="space-between" gap="sm" wrap="nowrap" mt={-4}>
                <Text size="sm" {...(atMs === undefined && { c: 'dimmed' })}>
                  {state}
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {stateMeaning(state)}
                  </Text>
                </Text>
                <Text size="xs" c="dimmed" className="figures">
                  {atMs !== undefined && <Timestamp ms={atMs} format={formatPreciseTime} />}
                </Text>
              </Group>
            </Timeline.Item>
          ))}
        </Timeline>
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        <ReportedResult result={result} />
      </Stack>
    </Paper>
  )
}

function Outcome({ isEnded, hasFailed }: { isEnded: boolean; hasFailed: boolean }) {
  if (!isEnded) return <Loader size={16} aria-label="In progress" />
  return (
    <ThemeIcon size={18} radius="xl" color={hasFailed ? 'red' : 'teal'} aria-hidden>
      {hasFailed ? <IconX size={12} /> : <IconCheck size={12} />}
    </ThemeIcon>
  )
}
