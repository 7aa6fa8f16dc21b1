/** `ts` is epoch milliseconds; because of it a sample that is sent twice is stored once. */
export interface Sample {
  ts: number
  payload: Record<string, unknown>
}

/** A sample with the present time. */
export const sampleOf = (payload: Record<string, unknown>, ts = Date.now()): Sample => ({ ts, payload })
