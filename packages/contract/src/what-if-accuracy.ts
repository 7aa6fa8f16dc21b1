/**
 * How good predictions of what-if are: measured by `npm run bench -- what-if` in emulated networks whose clients are reported
 * (docs/research.md).
 */
export const whatIfAccuracy = {
  situations: 20,
  /** The part in which better, no effect or worse was predicted correctly. */
  signCorrectPct: 95,
  /** Of the predicted throughput of the worst 5 %. */
  medianP5ErrorPct: 9,
} as const
