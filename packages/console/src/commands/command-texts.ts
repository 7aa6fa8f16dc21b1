import type { JobState } from '@manc/sdk'

/** What agents commonly know, where one does not list its own. */
export const commonCommands = (technology?: string): string[] => [
  'reboot',
  'power_off',
  'power_on',
  `set_power ${usualDbm[technology ?? ''] ?? 17}`,
  'set_channel 6',
  'steer_client',
]

/** What is usual for the one is out of reach for the other. */
const usualDbm: Record<string, number> = { '5G': 41, WiFi: 17, LiFi: 40 }

/** Out of `configuration.commands`; undefined where it does not say. */
export function listedCommands(configuration: Record<string, unknown>): string[] | undefined {
  const { commands } = configuration
  return Array.isArray(commands) ? commands.filter((each) => typeof each === 'string') : undefined
}

/** What is asked about before it is sent, and what it does to one access point and to many. */
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
}

/** What is lost with this command, for whoever is about to send it; undefined where nothing is. */
export const disruptionOf = (command: string) => {
  const [name = ''] = command.trim().split(/[\s:=]+/)
  return disruptive[name.toLowerCase()]
}

/** The way of a command that goes well. */
const steps: readonly JobState[] = ['queued', 'sent', 'delivered', 'succeeded']

const meanings: Partial<Record<JobState, string>> = {
  queued: 'Waiting for the access point',
  sent: 'Sent to the access point',
  delivered: 'Received by the agent',
  succeeded: 'Completed',
  failed: 'Not completed',
  timed_out: 'No response',
  expired: 'Not delivered in time',
  superseded: 'Another caller took control',
}

export const inWords = (state: JobState): string => meanings[state] ?? state

export interface StepShown {
  state: JobState
  /** Undefined for what has not come yet. */
  atMs: number | undefined
}

/** What has happened and, while it goes well, what comes next. A state that was passed unseen is left out. */
export function wayOf(
  seen: readonly { state: JobState; atMs: number }[],
  isEnded: boolean,
): readonly StepShown[] {
  if (isEnded) return seen
  const reached = Math.max(-1, ...seen.map(({ state }) => steps.indexOf(state)))
  return [...seen, ...steps.slice(reached + 1).map((state) => ({ state, atMs: undefined }))]
}
