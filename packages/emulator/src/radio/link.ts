import type { Link } from './types.ts'

/** Draws a mean towards one more value by that value's part of all weights so far. */
export function draw(mean: Link, one: Link, part: number): void {
  mean.signal += (one.signal - mean.signal) * part
  mean.snr += (one.snr - mean.snr) * part
  mean.rate += (one.rate - mean.rate) * part
  mean.errors += (one.errors - mean.errors) * part
  mean.lost += (one.lost - mean.lost) * part
  mean.mcs += (one.mcs - mean.mcs) * part
  mean.clear += (one.clear - mean.clear) * part
}

export function noLink(): Link {
  return { signal: 0, snr: 0, rate: 0, errors: 0, lost: 0, mcs: 0, clear: 0 }
}
