import { median } from '@manc/contract/statistics'

export { median, percentile } from '@manc/contract/statistics'

interface Options {
  /** Fewer and shorter rounds: enough to notice a regression, too few to quote. */
  quick: boolean
  /** Duration and number of agents, for benches that have these options. */
  minutes?: number
  agents?: number
  log: (line: string) => void
}

export type Bench = (options: Options) => Promise<{ ratio: number } & Record<string, unknown>>

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Alternates ours and bare after a warm-up of both, so that disturbances affect both. */
export async function takeTurns(turns: {
  rounds: number
  ours: () => Promise<number>
  bare: () => Promise<number>
  log: (line: string) => void
}): Promise<{ ratio: number; ours_per_s: number; bare_per_s: number; rounds: number }> {
  const { rounds, ours, bare, log } = turns
  log('warming up …')
  await ours()
  await bare()
  const figures: { ours: number; bare: number; ratio: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const [mine, theirs] = [await ours(), await bare()]
    const ratio = mine / theirs
    figures.push({ ours: mine, bare: theirs, ratio })
    log(`round ${round}: ours ${Math.round(mine)}/s, bare ${Math.round(theirs)}/s, ratio ${rounded(ratio)}`)
  }
  const middle = (name: 'ours' | 'bare' | 'ratio') => median(figures.map((figure) => figure[name]))
  return {
    ratio: rounded(middle('ratio'), 3),
    ours_per_s: Math.round(middle('ours')),
    bare_per_s: Math.round(middle('bare')),
    rounds,
  }
}
