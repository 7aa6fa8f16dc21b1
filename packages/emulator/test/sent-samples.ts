interface Series {
  metric: { ap_id: string }
  timestamps: number[]
}

const windowMs = 10_000

/**
 * The stored samples of the agents of some jobs: the number of samples, of agents, of agents with samples since a moment, and the
 * maximum of one agent in any ten seconds.
 */
export async function sentSamples(victoria: string, jobNumbers: string[], sinceMs: number) {
  await (await fetch(`${victoria}/internal/force_flush`)).text()
  const prefixes = jobNumbers.map((jobNumber) => jobNumber.slice(0, 8)).join('|')
  const match = `{__name__="clients",ap_id=~"emu-.*-(${prefixes})-.*"}`
  const answer = await fetch(`${victoria}/api/v1/export?match[]=${encodeURIComponent(match)}`)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  const series = lines.map((line) => JSON.parse(line) as Series)
  return {
    agents: agentsOf(series),
    agentsSince: agentsOf(series.filter(({ timestamps }) => (timestamps.at(-1) ?? 0) > sinceMs)),
    samples: series.reduce((sum, { timestamps }) => sum + timestamps.length, 0),
    busiest: Math.max(0, ...series.map(({ timestamps }) => busiestOf(timestamps))),
  }
}

const agentsOf = (series: Series[]) => new Set(series.map(({ metric }) => metric.ap_id)).size

function busiestOf(timestamps: number[]): number {
  let first = 0
  let max = 0
  for (const [index, ts] of timestamps.entries()) {
    while (ts - (timestamps[first] as number) >= windowMs) first += 1
    max = Math.max(max, index - first + 1)
  }
  return max
}
