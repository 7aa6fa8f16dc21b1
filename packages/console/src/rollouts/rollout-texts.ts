import type { Rollout, RolloutAgentState, RolloutState } from '@manc/sdk'
import { formatCount, formatNumber } from '../format/number.ts'

export const stateLabels: Record<RolloutState, string> = {
  running: 'In progress',
  paused: 'Paused',
  stopped: 'Stopped',
  completed: 'Completed',
  undoing: 'Being undone',
  undone: 'Undone',
}

export const agentStateLabels: Record<RolloutAgentState, string> = {
  pending: 'not changed',
  applied: 'changed',
  unchanged: 'no change needed',
  failed: 'failed',
  undone: 'undone',
  skipped: 'not undone',
}
export const agentStates = Object.keys(agentStateLabels) as RolloutAgentState[]

const stageTexts = ['', 'one access point', '10 %', 'all access points']

/** `Stage 2 of 3: 10 %` */
export const stageText = ({ stage }: Pick<Rollout, 'stage'>): string =>
  `Stage ${stage} of 3: ${stageTexts[stage]}`

/** `100 access points: 88 not changed, 12 changed` */
export function progressText({ progress, agents }: Pick<Rollout, 'progress' | 'agents'>): string {
  const parts = agentStates.flatMap((state) =>
    progress[state] > 0 ? [`${formatNumber(progress[state])} ${agentStateLabels[state]}`] : [],
  )
  return `${formatCount(agents, 'access point')}: ${parts.join(', ')}`
}
