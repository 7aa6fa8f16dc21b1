import type { JobState } from '@manc/sdk'
import { Group, Text } from '@mantine/core'
import {
  IconArrowsExchange,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconDots,
  IconHourglassEmpty,
  IconMailOpened,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconSend,
} from '@tabler/icons-react'
import { isFailure, stateLabels } from './job-texts.ts'

const icons: Record<JobState, typeof IconClock> = {
  queued: IconClock,
  running: IconPlayerPlay,
  open: IconDots,
  sent: IconSend,
  delivered: IconMailOpened,
  succeeded: IconCircleCheck,
  failed: IconCircleX,
  timed_out: IconHourglassEmpty,
  expired: IconClockOff,
  superseded: IconArrowsExchange,
  skipped: IconPlayerSkipForward,
}

export function StateIcon({ state, size = 18 }: { state: JobState; size?: number }) {
  const Icon = icons[state]
  return <Icon size={size} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
}

/** A state with icon and text, in red if it needs attention. */
export function StateLabel({ state, isCancelled = false }: { state: JobState; isCancelled?: boolean }) {
  if (isCancelled)
    return (
      <Text size="sm" component="span">
        <Group gap={6} wrap="nowrap" component="span">
          <IconCircleMinus size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          cancelled
        </Group>
      </Text>
    )
  return (
    <Text size="sm" component="span" {...(isFailure(state) && { c: 'var(--mantine-color-error)' })}>
      <Group gap={6} wrap="nowrap" component="span">
        <StateIcon state={state} />
        {stateLabels[state]}
      </Group>
    </Text>
  )
}
