import type { JobState } from '@manc/contract'

export const endStates: readonly JobState[] = [
  'succeeded',
  'failed',
  'timed_out',
  'expired',
  'superseded',
  'skipped',
]

/** The states from which each state can be reached: late and repeated reports change nothing. */
export const previousStates: Partial<Record<JobState, readonly JobState[]>> = {
  queued: ['sent'],
  sent: ['queued'],
  delivered: ['queued', 'sent'],
  succeeded: ['queued', 'sent', 'delivered'],
  failed: ['queued', 'sent', 'delivered'],
  timed_out: ['queued', 'sent', 'delivered'],
  expired: ['queued'],
  superseded: ['queued', 'sent'],
  // Cancelled by its caller.
  skipped: ['queued', 'sent'],
}

/**
 * An agent that lists its commands gets no others. One that lists `set_power` also accepts `set_power 20`. The configuration
 * is of free form: a member `commands` that is no list of strings has another meaning and restricts nothing.
 */
export function acceptsCommand(configuration: string, command: string): boolean {
  const { commands } = JSON.parse(configuration) as Record<string, unknown>
  const [name] = command.trim().split(/\s/, 1)
  if (!Array.isArray(commands) || commands.some((each) => typeof each !== 'string')) return true
  return commands.includes(command) || commands.includes(name)
}
