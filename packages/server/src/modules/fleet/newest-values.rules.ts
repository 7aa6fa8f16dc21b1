/** An agent has the values of samples that are not older than this, or than the time after which it is offline. */
export const recentMs = 30_000
/** Three intervals without a sample: then an agent is offline. */
const intervals = 3
/** Intervals up to this one are within the time of all agents. */
export const fastIntervalS = recentMs / intervals / 1000

/** Age in milliseconds up to which a value of an agent is current. */
export const currentForMs = (intervalS: number): number => Math.max(recentMs, intervals * intervalS * 1000)

/**
 * Groups agents by the period to search for their newest values. Each period is twice as long as the one before, so that a read
 * goes over few samples of each agent, and there are few reads.
 */
export function periodsOf<T>(agents: Iterable<T>, intervalOf: (agent: T) => number): Map<number, T[]> {
  return Map.groupBy(agents, (agent) => {
    const doubled = Math.ceil(Math.log2(currentForMs(intervalOf(agent)) / recentMs))
    return recentMs * 2 ** doubled
  })
}

/** One value of the response of the store. */
type Visit = (name: string, apId: string, value: number, atMs: number) => void

const labels = '{ap_id="'
const labelsEnd = '"} '

/** Visits the lines `name{ap_id="id"} value ms`, from a position on, and returns the next position. */
export function visitLines(text: string, from: number, maxLines: number, visit: Visit): number {
  let at = from
  // Without a regular expression: there is a line for each agent and metric.
  for (let lines = 0; lines < maxLines && at < text.length; lines++) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const nameEnd = text.indexOf(labels, at)
    const idEnd = text.indexOf(labelsEnd, nameEnd + labels.length)
    const valueEnd = text.indexOf(' ', idEnd + labelsEnd.length)
    if (nameEnd > 0 && idEnd > 0 && valueEnd > 0 && valueEnd < end)
      visit(
        text.slice(at, nameEnd),
        text.slice(nameEnd + labels.length, idEnd),
        Number(text.slice(idEnd + labelsEnd.length, valueEnd)),
        Number(text.slice(valueEnd + 1, end)),
      )
    at = end + 1
  }
  return at
}
