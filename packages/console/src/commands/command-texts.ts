import type { JobState } from '@manc/sdk'

/** Suggestions for agents that do not list their commands. */
export const commonCommands = (technology?: string): string[] => [
  'reboot',
  'power_off',
  'power_on',
  'sleep',
  'wake',
  `set_power ${typicalDbm[technology ?? ''] ?? 17}`,
  'set_channel 6',
  'steer_client',
]

/** Typical transmit power; the ranges of the technologies differ. */
const typicalDbm: Record<string, number> = { '5G': 41, WiFi: 17, LiFi: 40 }

const explanations: Record<string, string> = {
  reboot: 'Restarts the access point. Its clients are disconnected.',
  power_off: 'Switches the radio off at once. Its clients are disconnected.',
  power_on: 'Switches the radio on after power_off.',
  sleep: 'Hands clients over to other access points, then switches the radio off to save energy.',
  wake: 'Switches the radio on after sleep.',
  set_power: 'Sets the transmit power in dBm.',
  set_channel: 'Sets the channel.',
  steer_client:
    'Asks clients to move to another access point: steer_client <ap_id> <count>, or one client: steer_client <client> <ap_id>.',
}

/** What a command does; undefined for commands that the console does not know. */
export const explanationOf = (command: string): string | undefined => explanations[nameOf(command)]

/** The first word: `set_power` of `set_power 20`. */
function nameOf(command: string): string {
  const [name = ''] = command.trim().split(/[\s:=]+/)
  return name.toLowerCase()
}

/** From `configuration.commands`; undefined if the configuration has no list. */
export function listedCommands(configuration: Record<string, unknown>): string[] | undefined {
  const { commands } = configuration
  return Array.isArray(commands) ? commands.filter((each) => typeof each === 'string') : undefined
}

/** Commands that need a confirmation, with their effect on one access point and on many. */
const disruptive: Record<string, { verb: string; toOne: string; toMany: string }> = {
  reboot: {
    verb: 'Reboot',
    toOne:
      'The access point is unavailable until it has restarted, usually within a minute. Its clients are disconnected.',
    toMany: 'These access points are unavailable until they have restarted. Their clients are disconnected.',
  },
  power_off: {
    verb: 'Power off',
    toOne: 'The access point is off until it receives power_on. Its clients are disconnected.',
    toMany: 'These access points are off until they receive power_on. Their clients are disconnected.',
  },
  sleep: {
    verb: 'Put to sleep',
    toOne:
      'The access point hands its clients over to others and is off until it receives wake. Clients that reach no other access point are disconnected.',
    toMany:
      'These access points hand their clients over to others and are off until they receive wake. Clients that reach no other access point are disconnected.',
  },
}

/** The effect to confirm before the command is sent; undefined if there is none. */
export const disruptionOf = (command: string) => disruptive[nameOf(command)]

/** The states of a successful command. */
const successStates: readonly JobState[] = ['queued', 'sent', 'delivered', 'succeeded']

const meanings: Partial<Record<JobState, string>> = {
  queued: 'Waiting for the access point',
  sent: 'Sent to the access point',
  delivered: 'Received by the agent',
  succeeded: 'Completed',
  failed: 'Not completed',
  timed_out: 'No response',
  expired: 'Not delivered in time',
  superseded: 'Another caller took control',
  skipped: 'Not carried out',
}

export const stateMeaning = (state: JobState): string => meanings[state] ?? state

export interface ProgressStep {
  state: JobState
  /** Undefined for a state that is not reached yet. */
  atMs: number | undefined
}

/** The states so far and, while the command is in progress, the expected ones. States that were skipped are left out. */
export function progressSteps(
  seen: readonly { state: JobState; atMs: number }[],
  isEnded: boolean,
): readonly ProgressStep[] {
  if (isEnded) return seen
  const reached = Math.max(-1, ...seen.map(({ state }) => successStates.indexOf(state)))
  return [...seen, ...successStates.slice(reached + 1).map((state) => ({ state, atMs: undefined }))]
}
