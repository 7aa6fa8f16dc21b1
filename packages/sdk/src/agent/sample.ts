/** One reading. `ts` is epoch milliseconds; with it a sample that is sent twice is stored once. */
export interface Sample {
  ts: number
  payload: Record<string, unknown>
}

/** A reading of now. */
export const sampleOf = (payload: Record<string, unknown>, ts = Date.now()): Sample => ({ ts, payload })
