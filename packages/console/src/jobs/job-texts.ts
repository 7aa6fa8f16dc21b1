import type { Job, JobKind, JobState } from '@manc/sdk'

/** Names of the job types. */
export const kindLabels: Record<JobKind, string> = {
  agent_details: 'Access point details',
  agent_data: 'Historical data',
  agent_live: 'Live view',
  send_command: 'Command',
  send_commands: 'Bulk command',
  emulator_spinup: 'Emulation',
  mailbox: 'Application mailbox',
}

export const stateLabels: Record<JobState, string> = {
  queued: 'queued',
  running: 'running',
  open: 'open',
  sent: 'sent',
  delivered: 'delivered',
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  expired: 'expired',
  superseded: 'superseded',
  skipped: 'skipped',
}

/** Explanations of the states of a command. */
export const commandStateTexts: Record<JobState, string> = {
  queued: 'Queued until the access point is connected.',
  running: 'In progress.',
  open: 'Waiting for messages.',
  sent: 'Sent to the access point.',
  delivered: 'The agent confirmed receipt.',
  succeeded: 'The agent completed the command.',
  failed: 'The agent could not complete the command. Read the reason before sending it again.',
  timed_out: 'No response from the agent. Check the telemetry before sending the command again.',
  expired: 'Not delivered in time. Check that the access point is online, then send the command again.',
  superseded: 'Another caller took control of the access point before delivery.',
  skipped: 'Not carried out: it was cancelled, or not sent to this access point.',
}

export const endStates = ['succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped'] as const
const failureStates: readonly string[] = ['failed', 'timed_out', 'expired']

export const isEnded = ({ ended_at: endedAt }: Pick<Job, 'ended_at'>): boolean => endedAt !== null
export const isFailure = (state: string): boolean => failureStates.includes(state)

const order: readonly JobState[] = ['queued', 'sent', 'delivered']

/** The states that a command has passed. Intermediate states of an ended command are known only if they were received. */
export function statesUpTo(state: JobState, received: readonly JobState[]): JobState[] {
  const seen = received.filter((each, index) => received.indexOf(each) === index && each !== state)
  const position = order.indexOf(state)
  const before = position >= 0 ? order.slice(0, position) : order.slice(0, 1)
  return [...new Set([...before, ...seen, state])].sort((a, b) => rankOf(a) - rankOf(b))
}

const rankOf = (state: JobState) => (order.includes(state) ? order.indexOf(state) : order.length)
