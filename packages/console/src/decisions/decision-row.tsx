import type { CommandVerdict, Decision, DecisionState } from '@manc/sdk'
import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconClockOff,
  IconEye,
  IconHelpCircle,
  IconReportAnalytics,
  IconSend,
  IconX,
} from '@tabler/icons-react'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { stateLabels as jobStateLabels } from '../jobs/job-texts.ts'
import { errorText } from '../ui/error-text.ts'
import { stateLabels } from './decisions-search.ts'
import { EffectsTable } from './effects-table.tsx'
import { useAnswer } from './use-decisions.ts'

const icons: Record<DecisionState, typeof IconEye> = {
  recorded: IconEye,
  proposed: IconHelpCircle,
  rejected: IconX,
  expired: IconClockOff,
  refused: IconBan,
  executed: IconSend,
  measured: IconReportAnalytics,
  reverted: IconArrowBackUp,
}

const verdictTexts: Record<CommandVerdict, string> = {
  granted: 'granted',
  held: 'refused: held by another application',
  not_accepted: 'refused: not accepted by the access point',
  no_agent: 'refused: no such access point',
  not_sent: 'not sent',
}

interface DecisionRowProps {
  decision: Decision
  nowMs: number
}

/** A decision with its reason, its commands and its effect; a proposal with the buttons to answer it. */
export function DecisionRow({ decision, nowMs }: DecisionRowProps) {
  const { state, policy, owner, reason, client, created_at: createdAt } = decision
  const Icon = icons[state]
  return (
    <Stack gap="xs" p="md">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Badge
            variant={state === 'proposed' ? 'filled' : 'default'}
            color="brand.6"
            tt="none"
            leftSection={<Icon size={12} aria-hidden />}
          >
            {stateLabels[state]}
          </Badge>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {policy}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {owner}
            {client !== null && `, client ${client}`}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" className="figures">
          <Timestamp ms={Date.parse(createdAt)} format={formatDateTime} />
        </Text>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
        {reason}
      </Text>
      <EffectsTable decision={decision} nowMs={nowMs} />
      <Commands decision={decision} />
      <History decision={decision} />
      {state === 'proposed' && <Answer decision={decision} nowMs={nowMs} />}
    </Stack>
  )
}

function Commands({ decision: { commands } }: { decision: Decision }) {
  if (commands.length === 0) return null
  return (
    <Stack gap={4} role="list" aria-label="Commands">
      {commands.map(({ ap_id: apId, command, verdict, state, detail, result }) => (
        <Group key={`${apId} ${command}`} gap="sm" role="listitem">
          <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{command}</Code>
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {apId}
            {verdict !== null && `: ${verdictTexts[verdict]}`}
            {state !== null && `, ${jobStateLabels[state]}`}
          </Text>
          {(detail ?? answerText(result)) !== null && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {detail ?? answerText(result)}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}

/** What an access point has answered, if that has a text: whether a client moved, or why it did not. */
function answerText(result: unknown): string | null {
  const { text } = (result ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : null
}

function History({ decision }: { decision: Decision }) {
  const { decided_by: by, state, executed_at: executedAt, reverts, reverted_by: revertedBy } = decision
  const facts = [
    by !== null && `${state === 'rejected' ? 'Rejected' : 'Confirmed'} by ${by}.`,
    executedAt !== null && `Executed at ${formatDateTime(Date.parse(executedAt))}.`,
    reverts !== null && 'It reverts an earlier decision.',
    revertedBy !== null && 'Reverted by a later decision.',
  ].filter((fact) => fact !== false)
  if (facts.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {facts.join(' ')}
    </Text>
  )
}

function Answer({ decision, nowMs }: DecisionRowProps) {
  const { id, policy, expires_at: expiresAt } = decision
  const answer = useAnswer()
  const leftMs = expiresAt === null ? 0 : Date.parse(expiresAt) - nowMs
  if (leftMs <= 0)
    return (
      <Text size="xs" c="dimmed">
        Its time is over.
      </Text>
    )
  return (
    <Stack gap="xs">
      {answer.error && (
        <Alert color="red" role="alert">
          {errorText(answer.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          size="xs"
          leftSection={<IconCheck size={14} />}
          loading={answer.isPending && answer.variables.answer === 'confirm'}
          disabled={answer.isPending}
          aria-label={`Confirm ${policy}`}
          onClick={() => answer.mutate({ id, answer: 'confirm' })}
        >
          Confirm
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={14} />}
          disabled={answer.isPending}
          aria-label={`Reject ${policy}`}
          onClick={() => answer.mutate({ id, answer: 'reject' })}
        >
          Reject
        </Button>
        <Text size="xs" c="dimmed" className="figures">
          Expires in {formatAge(leftMs)}
        </Text>
      </Group>
    </Stack>
  )
}
