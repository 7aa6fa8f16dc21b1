/** The callers run in a separate thread, so that their CPU time is not counted as the server's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type WebSocket from 'ws'
import { connect, type JobTarget, post, readJob } from './read-job.ts'

export type Call =
  | { kind: 'saturate'; target: JobTarget; callers: number; seconds: number }
  | { kind: 'steady'; target: JobTarget; perSecond: number; seconds: number }
  | { kind: 'idle'; target: JobTarget; numbers: string[]; frames: number }

/** `saturate` reports jobs per second; the others the milliseconds of each job. */
export type Outcome = { perSecond: number; bytes: number } | { millis: number[] }

const send = (message: 'connected' | Outcome) => parentPort?.postMessage(message)

const call = workerData as Call
switch (call.kind) {
  case 'saturate':
    send(await saturate(call))
    break
  case 'steady':
    send(await steady(call))
    break
  case 'idle':
    send(await idle(call))
    process.exit(0)
}

async function saturate({ target, callers, seconds }: Call & { kind: 'saturate' }): Promise<Outcome> {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  let done = 0
  let bytes = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        bytes = await readJob(target)
        done += 1
      }
    }),
  )
  return { perSecond: (done * 1000) / (performance.now() - startedAt), bytes }
}

/** Open loop: requests start when they are due, regardless of earlier ones. */
async function steady({ target, perSecond, seconds }: Call & { kind: 'steady' }): Promise<Outcome> {
  const startedAt = performance.now()
  const millis: number[] = []
  const under: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueAt = startedAt + (n * 1000) / perSecond
    await sleep(Math.max(0, dueAt - performance.now()))
    under.push(readJob(target).then(() => void millis.push(performance.now() - dueAt)))
  }
  await Promise.all(under)
  return { millis }
}

/** Many idle sockets, with an occasional frame on one of them. */
async function idle({ target, numbers, frames }: Call & { kind: 'idle' }): Promise<Outcome> {
  const sockets = new Map<string, WebSocket>()
  const next = numbers.values()
  const open = async () => {
    for (const number of next) {
      const socket = connect(target, number)
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      sockets.set(number, socket)
    }
  }
  await Promise.all(Array.from({ length: 50 }, open))
  send('connected')
  await new Promise((resolve) => parentPort?.once('message', resolve))
  const millis: number[] = []
  for (let n = 0; n < frames; n++) {
    const number = numbers[(n * 7919) % numbers.length] ?? ''
    const came = new Promise((resolve) => sockets.get(number)?.once('message', resolve))
    const startedAt = performance.now()
    await post(`${target.url}${target.path}?job_number=${number}`, target.token, '[{"n":1}]')
    await came
    millis.push(performance.now() - startedAt)
    await sleep(20)
  }
  return { millis }
}
