import type { Job, JobKind, JobState } from '@manc/sdk'

/** What was asked for, in words. */
export const kindWords: Record<JobKind, string> = {
  agent_details: 'Details of all access points',
  agent_data: 'Data of a period',
  agent_live: 'Live view',
  send_command: 'Command',
  send_commands: 'Command to many',
  emulator_spinup: 'Emulation',
  mailbox: 'Mailbox of a program',
}

export const stateWords: Record<JobState, string> = {
  queued: 'waiting',
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

/** How a command gets on, a sentence for each state. */
export const commandWords: Record<JobState, string> = {
  queued: 'Kept here until the access point is there to take it.',
  running: 'Under way.',
  open: 'Waiting for its parts.',
  sent: 'Handed to the access point.',
  delivered: 'The access point says that it has it.',
  succeeded: 'The access point says that it is done.',
  failed: 'The access point could not carry it out.',
  timed_out: 'It was sent, and nothing more was heard. Look at the telemetry before sending it again.',
  expired: 'The access point was not there to take it. Check that it is online, and send it again.',
  superseded: 'Another caller took the access point over before it was delivered.',
  skipped: 'This access point gets none.',
}

export const endStates = ['succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped'] as const
const needsAHand: readonly string[] = ['failed', 'timed_out', 'expired']

export const isOver = ({ ended_at: endedAt }: Pick<Job, 'ended_at'>): boolean => endedAt !== null
export const isTrouble = (state: string): boolean => needsAHand.includes(state)

const order: readonly JobState[] = ['queued', 'sent', 'delivered']

/** The states that a command has been through by now. What came before the end is known where it was heard. */
export function pathTo(state: JobState, heard: readonly JobState[]): JobState[] {
  const seen = heard.filter((each, index) => heard.indexOf(each) === index && each !== state)
  const under = order.indexOf(state)
  const before = under >= 0 ? order.slice(0, under) : order.slice(0, 1)
  return [...new Set([...before, ...seen, state])].sort((a, b) => rankOf(a) - rankOf(b))
}

const rankOf = (state: JobState) => (order.includes(state) ? order.indexOf(state) : order.length)
