import type { Part } from './parts.types.ts'
import { countOf, durationOf } from './texts.format.ts'

type Judged = Omit<Part, 'id' | 'name'>

/** Above that of the alert MancTelemetryLag (5 s), which looks at minutes: this is a single measurement. */
const lateS = 15
const veryLateS = 60
/** About what a single ingester stores in a few seconds. */
const manyMessages = 10_000

/** `ageS` null: not known. */
export function telemetryPart(intake: {
  messages: number
  withoutIngester: number
  ageS: number | null
}): Judged {
  const { messages, withoutIngester, ageS } = intake
  const figures = {
    messages,
    queues_without_ingester: withoutIngester,
    ...(ageS !== null && { age_s: ageS }),
  }
  const waiting = `${countOf(messages, 'message')} ${messages === 1 ? 'waits' : 'wait'}`
  const runbook = 'runbooks/MancTelemetryLag'
  if (withoutIngester > 0 && messages > 0)
    return {
      state: 'bad',
      reason: `${waiting}, and no ingester consumes ${countOf(withoutIngester, 'queue')}.`,
      nextStep: 'Start an ingester.',
      runbook: 'runbooks/MancRoleMissing',
      figures,
    }
  const late = ageS !== null && ageS >= lateS ? `, the oldest for about ${durationOf(ageS)}` : ''
  if (late !== '' || messages >= manyMessages)
    return {
      state: ageS !== null && ageS >= veryLateS ? 'bad' : 'degraded',
      reason: `${waiting}${late}.`,
      nextStep: 'Add an ingester, or give the metrics store more CPU.',
      runbook,
      figures,
    }
  return { state: 'good', reason: `${waiting}.`, figures }
}

/** Configurations, statuses and results of commands. */
export function agentMessagesPart(messages: number): Judged {
  const figures = { messages }
  const reason = `${countOf(messages, 'message')} ${messages === 1 ? 'waits' : 'wait'} for a subscriber.`
  if (messages < manyMessages) return { state: 'good', reason, figures }
  return {
    state: 'degraded',
    reason,
    nextStep: 'Add a subscriber, or give PostgreSQL more CPU.',
    runbook: 'running',
    figures,
  }
}

export function deadLettersPart(messages: number): Judged {
  const figures = { messages }
  if (messages === 0) return { state: 'good', reason: 'No message was refused.', figures }
  return {
    state: 'degraded',
    reason: `${countOf(messages, 'message')} of agents could not be handled, or had invalid samples.`,
    nextStep: 'Read the queue manc.dead, repair the agents, and purge the queue.',
    runbook: 'runbooks/MancDeadLetters',
    figures,
  }
}

/** As in the alerts MancOutboxStuck and MancJobsQueued. */
const stuckS = 30
const manyJobs = 500

export function jobsPart({
  oldestUnpublishedS,
  waiting,
}: {
  oldestUnpublishedS: number
  waiting: number
}): Judged {
  const figures = { oldest_unpublished_s: oldestUnpublishedS, waiting }
  if (oldestUnpublishedS > stuckS)
    return {
      state: 'bad',
      reason: `A job has waited for ${durationOf(oldestUnpublishedS)} to be published to RabbitMQ.`,
      nextStep: 'Check RabbitMQ and the api processes.',
      runbook: 'runbooks/MancOutboxStuck',
      figures,
    }
  const reason = `${countOf(waiting, 'job')} ${waiting === 1 ? 'waits' : 'wait'} for a worker, a retry or ${waiting === 1 ? 'its client' : 'their clients'}.`
  if (waiting <= manyJobs) return { state: 'good', reason, figures }
  return {
    state: 'degraded',
    reason,
    nextStep: 'Add a subscriber.',
    runbook: 'runbooks/MancJobsQueued',
    figures,
  }
}

/** Messages about alarms are sent within seconds, and retried for hours. */
const lateMessageS = 300

/** `failed`: names of receivers that a message could not be delivered to lately, one for each message. */
export function notificationsPart({
  failed,
  oldestQueuedS,
}: {
  failed: string[]
  oldestQueuedS: number
}): Judged {
  const figures = { failed: failed.length, oldest_queued_s: oldestQueuedS }
  const runbook = 'notifications'
  if (failed.length > 0)
    return {
      state: 'degraded',
      reason: `${countOf(failed.length, 'message')} about alarms could not be delivered in the last 24 hours, to ${[...new Set(failed)].slice(0, 3).join(', ')}.`,
      nextStep: 'Look at the deliveries of notifications, correct the receiver, and send them again.',
      runbook,
      figures,
    }
  if (oldestQueuedS > lateMessageS)
    return {
      state: 'degraded',
      reason: `A message about alarms has waited for ${durationOf(oldestQueuedS)}.`,
      nextStep: 'Look at the deliveries of notifications: they have the error of the last attempt.',
      runbook,
      figures,
    }
  return { state: 'good', reason: 'All messages about alarms were delivered.', figures }
}

/** As in the alert MancMailboxesFull. */
const fullShare = 0.8

/** `bytes` undefined: not measured yet. */
export function mailboxPart(bytes: number | undefined, maxBytes: number): Judged {
  if (bytes === undefined)
    return { state: 'unknown', reason: 'They were not measured yet.', nextStep: 'Read the health again.' }
  const figures = { bytes, max_bytes: maxBytes }
  const reason = `Results that wait for their clients use ${Math.round((100 * bytes) / maxBytes)} % of their limit.`
  if (bytes <= fullShare * maxBytes) return { state: 'good', reason, figures }
  return {
    state: bytes > maxBytes ? 'bad' : 'degraded',
    reason,
    nextStep: 'Find the clients that do not read their results.',
    runbook: 'runbooks/MancMailboxesFull',
    figures,
  }
}
