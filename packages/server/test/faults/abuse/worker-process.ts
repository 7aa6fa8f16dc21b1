import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'

/**
 * A program of this suite in its own process: attackers must not share an event loop with the measuring callers. It has a
 * session of its own, because Linux weighs priorities within a session only (`sched_autogroup`).
 */
export class WorkerProcess<Report> {
  readonly #child: ChildProcess
  readonly ready: Promise<void>
  readonly pid: number
  readonly #report: Promise<Report>

  constructor(file: string, options: unknown) {
    this.#child = fork(path.join(import.meta.dirname, file), {
      execPath: process.execPath,
      detached: true,
    })
    if (this.#child.pid === undefined) throw new Error(`${file} did not start. Is there memory left?`)
    this.pid = this.#child.pid
    const ended = new Promise<never>((_, reject) =>
      this.#child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`))),
    )
    const received = <T>(kind: string) =>
      Promise.race([
        new Promise<T>((resolve) =>
          this.#child.on('message', (message: WorkerMessage) => {
            if (message.kind === kind) resolve(message.value as T)
          }),
        ),
        ended,
      ])
    this.ready = received('ready')
    this.#report = received('report')
    // A suite that failed earlier awaits neither.
    for (const each of [this.ready, this.#report]) each.catch(() => {})
    this.#child.send({ kind: 'start', value: options })
  }

  /** Ends its work, and resolves with what it has recorded. */
  async stop(): Promise<Report> {
    this.#child.send({ kind: 'stop' })
    return this.#report
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

interface WorkerMessage {
  kind: 'start' | 'stop' | 'ready' | 'report'
  value?: unknown
}

/** In the child: `run` starts the work, calls `ready`, and resolves with the report after `stopping` was aborted. */
export function serveWorker(
  run: (options: unknown, stopping: AbortSignal, ready: () => void) => Promise<unknown>,
): void {
  const stopping = new AbortController()
  const send = (message: WorkerMessage, done = () => {}) => void process.send?.(message, undefined, {}, done)
  process.on('message', (message: WorkerMessage) => {
    if (message.kind === 'stop') stopping.abort()
    else
      void run(message.value, stopping.signal, () => send({ kind: 'ready' })).then((value) =>
        send({ kind: 'report', value }, () => process.exit(0)),
      )
  })
  process.once('disconnect', () => process.exit(1))
}
