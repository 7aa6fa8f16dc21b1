import { Worker } from 'node:worker_threads'

export interface SteadyLoad {
  url: string
  /** Several paths instead of one, used in turn. */
  urls?: readonly string[]
  method: string
  headers: Record<string, string>
  body?: string
  perSecond: number
  seconds: number
}

export interface SteadyResult {
  latenciesMs: number[]
  /** Answers with status 503: the server limits its load and asks the client to retry later. */
  refused: number
  failures: number
  firstFailure: string
}

/** Sends requests at a constant rate from a separate thread, so that one load does not delay the timers of another. */
export async function steady(load: SteadyLoad): Promise<SteadyResult> {
  const worker = new Worker(new URL('./steady.worker.ts', import.meta.url), { workerData: load })
  const result = await new Promise<SteadyResult>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  if (result.failures > 0)
    throw new Error(`${load.method} ${load.url}: ${result.failures} requests failed: ${result.firstFailure}`)
  return result
}

/** The same for requests that the server must not refuse. */
export async function steadyWithoutRefusals(load: SteadyLoad): Promise<SteadyResult> {
  const result = await steady(load)
  if (result.refused > 0)
    throw new Error(`${load.method} ${load.url}: ${result.refused} requests refused with 503`)
  return result
}
