import { closeCodes } from '@manc/contract'
import type { WebSocket } from 'ws'
import { type CloseReason, closeTexts } from './close-reasons.format.ts'
import { FrameBudget } from './frame-budget.rules.ts'

/** A client that takes a frame more slowly is disconnected. */
const flushWithinMs = 30_000
/** For a client that is disconnected because it sends too much. */
const closeWithinMs = 2000

export interface ClientSocketOptions {
  socket: WebSocket
  framesPerSecond: number
  /** Called when the client has sent too many frames. */
  onTooManyFrames: () => void
  /** A message of the client, within its budget of frames. */
  onMessage?: (text: string) => void
}

/** The WebSocket of one client: pings, the budget of its frames, and writing as fast as it reads. */
export class ClientSocket {
  lastActiveAt = Date.now()
  readonly #options: ClientSocketOptions
  readonly #frames: FrameBudget
  #isAlive = true
  #isWriting = false

  constructor(options: ClientSocketOptions) {
    this.#options = options
    this.#frames = new FrameBudget(options.framesPerSecond)
    options.socket.on('ping', () => this.#countFrame())
    options.socket.on('pong', () => {
      this.#isAlive = true
      this.#countFrame()
    })
    options.socket.on('message', (data) => {
      this.#isAlive = true
      if (this.#countFrame()) options.onMessage?.((data as Buffer).toString('utf8'))
    })
  }

  get isOpen(): boolean {
    return this.#options.socket.readyState === this.#options.socket.OPEN
  }

  /** Whether frames are not yet written. */
  get isWriting(): boolean {
    return this.#isWriting
  }

  close(reason: CloseReason): void {
    this.#options.socket.close(closeCodes[reason], closeTexts[reason])
  }

  terminate(): void {
    this.#options.socket.terminate()
  }

  /** False if the last ping got no pong. While frames are sent, the limit for slow clients applies instead. */
  ping(isSending = this.#isWriting): boolean {
    if (isSending) return true
    if (!this.#isAlive) {
      this.#options.socket.terminate()
      return false
    }
    this.#isAlive = false
    this.#options.socket.ping()
    return true
  }

  /** The client may send this many frames more, as acknowledgements. */
  allow(frames: number): void {
    this.#frames.add(frames)
  }

  /** Resolves when the frames are written; to false if that takes too long. */
  async write(frames: readonly string[]): Promise<boolean> {
    const { socket } = this.#options
    if (frames.length === 0) return true
    this.lastActiveAt = Date.now()
    this.#isWriting = true
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(false), flushWithinMs)
        frames.forEach((frame, index) =>
          socket.send(frame, (error) => {
            if (index < frames.length - 1 && !error) return
            clearTimeout(timer)
            if (error && socket.readyState === socket.OPEN) reject(error)
            else resolve(true)
          }),
        )
      })
    } finally {
      this.#isWriting = false
    }
  }

  /** False if the client has sent too many: then it is disconnected. */
  #countFrame(): boolean {
    const { socket, onTooManyFrames } = this.#options
    if (this.#frames.take()) return true
    if (this.isOpen) {
      onTooManyFrames()
      this.close('tooMany')
      // Frames that are still coming in are not read.
      socket.pause()
      setTimeout(() => socket.terminate(), closeWithinMs).unref()
    }
    return false
  }
}
