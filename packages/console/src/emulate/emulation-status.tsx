import type { EmulationNews, Job } from '@manc/sdk'
import { Alert, Code, Group, Progress, Text, useComputedColorScheme } from '@mantine/core'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatNumber } from '../format/number.ts'
import { formatAge, formatDuration } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'
import { colourOf } from '../ui/theme.ts'
import type { StoredSpec } from './request.ts'
import { type Count, type EmulationStatus, endOf, isUnclaimed, phaseOf } from './status.ts'

/** One line of status. */
export function StatusLine({
  job,
  status,
  counts,
  specs,
}: {
  job: Job
  status: EmulationStatus
  counts: readonly Count[]
  specs: readonly StoredSpec[] | undefined
}) {
  const now = useNow()
  const begun = Date.parse(job.created_at)
  const endsAt = endOf(job, specs)
  const online = counts.reduce((sum, count) => sum + count.online, 0)
  const total = counts.reduce((sum, count) => sum + count.total, 0)
  const { failed, timeToFullS, summary } = status
  const parts = job.ended_at
    ? [
        `ran for ${formatDuration(Date.parse(job.ended_at) - begun)}`,
        `${job.detail?.startsWith('Stopped') ? 'stopped' : 'ended'} ${formatAge(now - Date.parse(job.ended_at))} ago`,
        summary?.samples !== undefined && `${formatNumber(summary.samples)} samples`,
      ]
    : [
        phaseOf(job, { online, total, timeToFullS }, now),
        `${formatNumber(online)} of ${formatNumber(total)} online`,
        timeToFullS !== null && `all online after ${timeToFullS} s`,
        endsAt !== undefined && `${formatDuration(endsAt - now)} left`,
      ]
  return (
    <Text size="sm" c="dimmed" className="figures">
      {parts.filter((part) => part !== false).join(' · ')}
      {failed > 0 && (
        <Text span c="var(--mantine-color-error)">
          {' '}
          · {failed} failed to start
        </Text>
      )}
    </Text>
  )
}

/** A failure, or a missing emulator. */
export function StatusAlert({ job }: { job: Job }) {
  const now = useNow()
  if (job.state === 'failed')
    return (
      <Alert color="red" title="Emulation failed">
        {job.detail ?? 'No reason was given.'} Check that an emulator is running, then start the emulation
        again.
      </Alert>
    )
  if (isUnclaimed(job, now))
    return (
      <Alert color="gray" title="Waiting for an emulator">
        No emulator has accepted this emulation yet. Start one with <Code>npm run emulator</Code>, or ask the
        operator of the controller to start one. Without an emulator the emulation fails after 10 minutes
        (default setting).
      </Alert>
    )
  return null
}

export function OnlineBar({ technology, online, total }: Count) {
  const scheme = useComputedColorScheme('light')
  return (
    <Group gap="sm" wrap="nowrap">
      <TechnologyIcon technology={technology} />
      <Text size="sm" w={40}>
        {technology}
      </Text>
      <Progress
        value={(online / total) * 100}
        color={colourOf(technology, scheme)}
        style={{ flex: 1 }}
        aria-label={`${technology} access points online`}
      />
      <Text size="sm" className="figures" style={{ flex: 'none' }}>
        {formatNumber(online)} of {formatNumber(total)} online
      </Text>
    </Group>
  )
}

/** Large emulations are split among several emulators. */
export function Parts({ parts }: { parts: readonly EmulationNews[] }) {
  return (
    <Text size="xs" c="dimmed" className="figures">
      {parts
        .map(({ part, live, agents, state }) => `part ${part}: ${live} of ${agents} online, ${state}`)
        .join(' · ')}
    </Text>
  )
}
