/** Clocks of agents may be ahead of ours by this much. Samples with later times are refused. */
export const maxAheadMs = 3_600_000
