import { setTimeout as sleep } from 'node:timers/promises'
import { call, type IsolatedEnvironment } from '@manc/harness'
import { unlessBusy } from './http-exchange.ts'

/** What creating records needs. */
export interface Parties {
  url: string
  internalUrl: string
  base: IsolatedEnvironment
  adminToken: () => Promise<string>
  /** Of records, by placeholder. */
  ids: Map<string, string>
}

/** The body of a request that has to succeed, by an administrator unless there is another token. */
export async function send(
  { url, adminToken }: Pick<Parties, 'url' | 'adminToken'>,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<any> {
  const by = token ?? (await adminToken())
  const reply = await unlessBusy(() =>
    call(url, method, `/api/v1/${path}`, { token: by, ...(body !== undefined && { body }) }),
  )
  if (reply.status !== 200)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`)
  return reply.body
}

/** Shorter than the life of a token. */
const keptMs = 600_000

/** A token that is kept: a login takes as long as a hundred other requests. */
export function keptToken<T>(logIn: () => Promise<T>): () => Promise<T> {
  let kept: { token: Promise<T>; until: number } | undefined
  return () => {
    if (!kept || Date.now() > kept.until) kept = { token: logIn(), until: Date.now() + keptMs }
    return kept.token
  }
}

const withinMs = 30_000
const pauseMs = 100

/** Reads again until there is a value. */
export async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await sleep(pauseMs)) {
    const value = await read()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`)
  }
}
