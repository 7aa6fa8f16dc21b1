/** The share of agents that are changed up to the end of the second stage. */
const secondShare = 0.1
const lastStage = 3

/** The stage of the agent at this position: one agent, then 10 % of all, then the others. */
export function stageOf(position: number, agents: number): number {
  if (position === 0) return 1
  return position < Math.ceil(agents * secondShare) ? 2 : lastStage
}
