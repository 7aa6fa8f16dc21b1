import { fork } from 'node:child_process'
import path from 'node:path'
import type { BenchEnvironment } from '../environment.ts'
import type { Publishing } from './publisher.ts'

export const prefix = 'grow'

/** Handle of the process that publishes samples. */
export interface PublishedLoad {
  confirmed(): number
  /** Resolves when this many messages are confirmed. */
  until(count: number): Promise<void>
  stop(): void
}

export function publishFleet(
  { rabbitmqUrl }: BenchEnvironment,
  options: { agents: number; perSecond: number; metrics: number },
): PublishedLoad {
  const child = fork(path.join(import.meta.dirname, 'publisher.ts'), { execPath: process.execPath })
  let confirmed = 0
  child.on('message', (count) => {
    confirmed = Number(count)
  })
  child.send({ rabbitmqUrl, prefix, ...options } satisfies Publishing)
  return {
    confirmed: () => confirmed,
    async until(count) {
      await new Promise<void>((resolve, reject) => {
        child.on('message', () => confirmed >= count && resolve())
        child.once('exit', (code) => reject(new Error(`the publisher ended with ${code}`)))
      })
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
