/** The callers of the bench, in a thread of their own: what they cost is not the server's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type WebSocket from 'ws'
import { connect, type JobTarget, post, readJob } from './read-job.ts'

export type Call =
  | { kind: 'saturate'; target: JobTarget; callers: number; seconds: number }
  | { kind: 'steady'; target: JobTarget; perSecond: number; seconds: number }
  | { kind: 'idle'; target: JobTarget; numbers: string[]; frames: number }

/** Of `saturate`: jobs a second; of the others, how many milliseconds each took. */
export type Outcome = { perSecond: number; bytes: number } | { millis: number[] }

const say = (word: 'connected' | Outcome) => parentPort?.postMessage(word)

const call = workerData as Call
switch (call.kind) {
  case 'saturate':
    say(await saturate(call))
    break
  case 'steady':
    say(await steady(call))
    break
  case 'idle':
    say(await idle(call))
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

/** Begun at their times, however long those before them take. */
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

/** Many sockets on which nothing happens, but now and then something on one of them. */
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
  say('connected')
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
