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
    toOne: 'It serves nobody until it is back, usually within a minute. Its clients look for another.',
    toMany: 'They are away for a while, and their clients are cut off.',
  },
  power_off: {
    verb: 'Power off',
    toOne: 'It serves nobody until it is told power_on. Its clients look for another.',
    toMany: 'Their clients are cut off until somebody sends power_on.',
  },
}

/** What is lost with this command, for whoever is about to send it; undefined where nothing is. */
export const dangerOf = (command: string) => {
  const [name = ''] = command.trim().split(/[\s:=]+/)
  return disruptive[name.toLowerCase()]
}

/** The way of a command that goes well. */
const steps: readonly JobState[] = ['queued', 'sent', 'delivered', 'succeeded']

const meanings: Partial<Record<JobState, string>> = {
  queued: 'Waits for the access point',
  sent: 'On its way',
  delivered: 'The access point has it',
  succeeded: 'Carried out',
  failed: 'Not carried out',
  timed_out: 'No answer',
  expired: 'Never reached it',
  superseded: 'Taken over',
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
  isOver: boolean,
): readonly StepShown[] {
  if (isOver) return seen
  const reached = Math.max(-1, ...seen.map(({ state }) => steps.indexOf(state)))
  return [...seen, ...steps.slice(reached + 1).map((state) => ({ state, atMs: undefined }))]
}
