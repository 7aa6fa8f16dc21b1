/**
 * Open-loop load in a worker thread: requests are sent when they are due, whether or not earlier ones have been
 * answered, and latency is measured from the due time.
 */
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { SteadyLoad, SteadyResult } from './steady.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

async function run(load: SteadyLoad): Promise<SteadyResult> {
  const result: SteadyResult = { latenciesMs: [], refused: 0, failures: 0, firstFailure: '' }
  const total = load.perSecond * load.seconds
  const startedAt = performance.now()
  const answers: Promise<void>[] = []
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * load.perSecond) + 1)
    for (; sent < due; sent++) {
      const dueAt = startedAt + (sent / load.perSecond) * 1000
      answers.push(
        send(load, load.urls?.[sent % load.urls.length] ?? load.url).then(
          (status) => {
            if (status === 503) result.refused += 1
            else result.latenciesMs.push(performance.now() - dueAt)
          },
          (error: unknown) => {
            result.failures += 1
            result.firstFailure ||= String(error)
          },
        ),
      )
    }
    await sleep(1)
  }
  await Promise.all(answers)
  agent.destroy()
  return result
}

function send({ method, headers, body }: SteadyLoad, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (answer) => {
      answer.resume()
      const status = answer.statusCode ?? 0
      answer.once('end', () =>
        status === 200 || status === 503 ? resolve(status) : reject(new Error(`status ${status}`)),
      )
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

parentPort?.postMessage(await run(workerData as SteadyLoad))
