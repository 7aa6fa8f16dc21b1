/**
 * A smaller change, as a part of the value without it, counts as no effect: the move of a single client changes the throughput of the
 * worst 5 % by up to 4 %.
 */
export const smallestEffect = 0.05

/**
 * How good predictions of what-if are: measured by `npm run bench -- what-if` in emulated networks (docs/research.md). The part
 * of situations in which the effect on the throughput of the worst 5 % was predicted correctly, as better, worse or no
 * effect; and the median error of that throughput.
 */
export const whatIfAccuracy = {
  situations: 20,
  /** Of networks whose clients report what they hear. */
  measured: { signCorrectPct: 95, medianP5ErrorPct: 9 },
  /** Of others: only the number of clients and their throughput are known. */
  countsOnly: { signCorrectPct: 45, medianP5ErrorPct: 40 },
} as const
