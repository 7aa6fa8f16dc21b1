import { setTimeout as sleep } from 'node:timers/promises'

const firstMs = 1000
const maxMs = 30_000

/** After so many failures: doubles each time, with jitter. */
export const backoffMs = (failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2)

/** Resolves early when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
