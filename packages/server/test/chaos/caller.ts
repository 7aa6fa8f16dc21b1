import { setTimeout as sleep } from 'node:timers/promises'
import { call, type RequestOptions } from '@manc/harness'
import type { History, Kind, Outcome } from './history.ts'

/** What all parts of the workload share. */
export interface Context {
  history: History
  /** Of the processes of the role api. */
  urls: readonly string[]
  /** Over both of them. */
  apiUrl: string
  mqttUrl: string
  /** Of an administrator. */
  token: string
  /** The names of everything that is created begin with it. */
  prefix: string
  /** From 0 to 1, always the same for one seed. */
  random: () => number
  stopping: AbortSignal
  /** When the last successful operation of each kind began. */
  succeeded: Map<Kind, number>
}

export interface Answer {
  /** In the history. */
  id: string
  outcome: Outcome
  body: any
}

const timeoutMs = 6000

export const oneOf = <T>(all: readonly T[], random: () => number): T =>
  all[Math.floor(random() * all.length)] as T

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Repeats the work at an interval until the workload ends. */
export async function repeat(
  { stopping, random }: Context,
  intervalMs: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  const pending = new Set<Promise<void>>()
  for (let n = 0; !stopping.aborted; n++) {
    const one = work(n).finally(() => pending.delete(one))
    pending.add(one)
    // The end of the workload does not wait for the interval.
    await sleep(intervalMs * (0.75 + random() / 2), undefined, { signal: stopping }).catch(() => {})
  }
  await Promise.all(pending)
}

export interface Operation extends RequestOptions {
  kind: Kind
  subject?: string
  method: string
  path: string
  /** How often it is sent until it succeeds. With more than once it needs an idempotency key. */
  attempts?: number
  /** Why a response with 200 is no success. */
  refuse?: (body: any) => string | undefined
}

/** One operation of the history, sent to an api that is chosen at random, and to the other when it is sent again. */
export async function perform(context: Context, operation: Operation): Promise<Answer> {
  const { history, urls, random, succeeded } = context
  const { kind, subject, method, path, attempts = 1, refuse, ...options } = operation
  const beganAt = Date.now()
  const id = history.invoke(kind, subject)
  const first = Math.floor(random() * urls.length)
  for (let attempt = 1; ; attempt++) {
    const url = urls[(first + attempt) % urls.length] ?? ''
    const { outcome, detail, body } = await send(url, method, path, options, refuse)
    if (outcome !== 'ok' && attempt < attempts) {
      await sleep(500)
      continue
    }
    history.add({ type: outcome, id, ...(outcome !== 'ok' && { detail }) })
    if (outcome === 'ok') succeeded.set(kind, beganAt)
    return { id, outcome, body }
  }
}

interface Sent {
  outcome: Outcome
  detail: string
  body: any
}

async function send(
  url: string,
  method: string,
  path: string,
  options: RequestOptions,
  refuse?: Operation['refuse'],
): Promise<Sent> {
  try {
    const { status, body } = await call(url, method, path, {
      ...options,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const why = status === 200 ? refuse?.(body) : String(status)
    return { outcome: why === undefined ? 'ok' : 'fail', detail: why ?? '', body }
  } catch (error) {
    const { name, cause } = error as Error
    const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? name
    // Only without a connection it is certain that nothing was done.
    return { outcome: code === 'ECONNREFUSED' ? 'fail' : 'unknown', detail: code, body: undefined }
  }
}
