import type { Experiment, ExperimentFigure, ExperimentState, SteeringPolicyName } from '@manc/sdk'
import { formatCount } from '../format/number.ts'

export const stateLabels: Record<ExperimentState, string> = {
  waiting: 'Waiting for an emulator',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const worldLabels = {
  campus_day: 'Campus, a day',
  lecture_rush: 'Lecture, around its peak',
  factory_hall: 'Factory hall with LiFi',
  stadium: 'Stadium, around its peak',
} as const satisfies Record<NonNullable<Experiment['world']['name']>, string>

export const policyLabels: Record<SteeringPolicyName, string> = {
  none: 'None: clients decide',
  strongest: 'Strongest signal',
  usteer: 'As usteer',
  dawn: 'As DAWN',
  'best-experience': 'Best experience',
  'load-balancing': 'Load balancing',
  'lifi-first': 'LiFi first',
  'energy-first': 'Energy first',
}

export interface ShownFigure {
  figure: ExperimentFigure
  label: string
  unit: string
  better: 'more' | 'less' | undefined
}

/** The figures of the page; the export has all. */
export const shownFigures: readonly ShownFigure[] = [
  { figure: 'mean_mbps', label: 'Mean throughput', unit: 'Mbit/s', better: 'more' },
  { figure: 'p5_mbps', label: 'Throughput of the worst 5 %', unit: 'Mbit/s', better: 'more' },
  { figure: 'outage_s', label: 'Outage for each blockage of light', unit: 's', better: 'less' },
  { figure: 'handovers', label: 'Handovers for each client and hour', unit: '', better: undefined },
  { figure: 'ping_pongs', label: 'Ping-pongs for each client and hour', unit: '', better: 'less' },
  { figure: 'kwh', label: 'Energy in a day', unit: 'kWh', better: 'less' },
]

export function worldText({ world: { name, network, access_points: groups } }: Experiment): string {
  if (network)
    return `The network: ${formatCount(network.access_points, 'access point')}, ${formatCount(network.clients, 'client')}${leftOutText(network.left_out)}`
  if (name) return worldLabels[name]
  const total = (groups ?? []).reduce((sum, { count }) => sum + count, 0)
  return `Described world with ${formatCount(total, 'access point')}`
}

export const policyText = (policy: string): string =>
  Object.hasOwn(policyLabels, policy) ? policyLabels[policy as SteeringPolicyName] : policy

export function progressText({ runs, finished, failed }: Experiment): string {
  const more = failed > 0 ? `, ${failed} failed` : ''
  return `${finished} of ${formatCount(runs, 'run')} finished${more}`
}

const leftOutText = (count: number): string =>
  count > 0 ? `; ${formatCount(count, 'access point')} left out: unknown, offline or without a position` : ''
