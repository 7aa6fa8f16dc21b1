import { setTimeout as sleep } from 'node:timers/promises'
import { type EventFrame, eventStreamPath } from '@manc/contract'
import WebSocket from 'ws'

const retryMs = 200

/** A follower whose connection is cut again and again, and that resumes each time. Counts by the numbers in the events. */
export class CutFollower {
  readonly #url: string
  readonly #token: string
  readonly #seen = new Set<number>()
  repeated = 0
  cuts = 0
  incomplete = 0
  #after: string | undefined
  #socket: WebSocket | undefined
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(url: string, token: string) {
    this.#url = url.replace('http', 'ws')
    this.#token = token
  }

  get received(): number {
    return this.#seen.size
  }

  /** Resolves when the stream has started. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>()
    this.#running = this.#run(() => started.resolve())
    this.#running.catch(started.reject)
    await started.promise
  }

  cut(): void {
    this.cuts += 1
    this.#socket?.terminate()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#socket?.terminate()
    await this.#running
  }

  async #run(onStart: () => void): Promise<void> {
    while (!this.#isStopped) {
      const query = this.#after === undefined ? '' : `?after=${this.#after}`
      const socket = new WebSocket(`${this.#url}${eventStreamPath}${query}`, {
        headers: { authorization: `Bearer ${this.#token}` },
      })
      this.#socket = socket
      socket.on('error', () => {})
      socket.on('message', (data) => {
        // What arrives after the cut is sent again.
        if (socket.readyState !== WebSocket.OPEN) return
        this.#take(JSON.parse((data as Buffer).toString()) as EventFrame)
        onStart()
      })
      await new Promise<void>((resolve) => socket.on('close', () => resolve()))
      if (!this.#isStopped) await sleep(retryMs)
    }
  }

  #take(frame: EventFrame): void {
    this.#after = frame.after
    if (frame.type === 'start') {
      if (!frame.is_complete) this.incomplete += 1
      return
    }
    for (const { data } of frame.events) {
      const n = data['n']
      if (typeof n !== 'number') continue
      if (this.#seen.has(n)) this.repeated += 1
      this.#seen.add(n)
    }
  }
}
