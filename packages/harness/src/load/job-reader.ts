import { envelopeProtocol, socketPath } from '@manc/contract'
import WebSocket from 'ws'

export interface Envelope {
  type: string
  job_number: string
  seq: number
  final: boolean
  data: unknown
}

interface Options {
  /** Of the replicas, used in turn. */
  urls: readonly string[]
  token: string
  jobNumber: string
  received: (envelope: Envelope) => void
  /** Called for each connection that ended before the last message, with the reason. */
  lost: (why: string) => void
}

const reconnectAfterMs = 200
const openTimeoutMs = 5000

/** Reads the messages of one job. Reconnects from the last `seq` until it has the last message. */
export class JobReader {
  lastSeq = 0
  /** Messages that were received before. */
  duplicated = 0
  /** Messages whose predecessor is missing. */
  gaps = 0
  readonly #options: Options
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #turn = Math.floor(Math.random() * 2)
  #isDone = false

  constructor(options: Options) {
    this.#options = options
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  stop(): void {
    this.#isDone = true
    clearTimeout(this.#timer)
    this.#socket?.terminate()
  }

  #connect(): void {
    const { urls, token, jobNumber, lost } = this.#options
    const url = urls[this.#turn++ % urls.length]?.replace('http', 'ws')
    const socket = new WebSocket(
      `${url}${socketPath}/${jobNumber}?after=${this.lastSeq}`,
      [envelopeProtocol],
      {
        headers: { authorization: `Bearer ${token}` },
        handshakeTimeout: openTimeoutMs,
      },
    )
    this.#socket = socket
    let failure: string | undefined
    socket.on('message', (data) => this.#take(socket, JSON.parse((data as Buffer).toString()) as Envelope))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message
    })
    // Also emitted after a refused upgrade.
    socket.on('close', (code) => {
      if (this.#isDone) return
      lost(failure ?? `closed with ${code}`)
      this.#timer = setTimeout(() => this.#connect(), reconnectAfterMs * (1 + 1.5 * Math.random()))
    })
  }

  #take(socket: WebSocket, envelope: Envelope): void {
    const { seq, final } = envelope
    if (seq <= this.lastSeq) this.duplicated += 1
    else if (seq > this.lastSeq + 1) this.gaps += 1
    this.lastSeq = Math.max(this.lastSeq, seq)
    // The server closes after the acknowledgement of the last message. Until then duplicates are still counted.
    if (final) this.#isDone = true
    socket.send(JSON.stringify({ type: 'ack', seq }))
    this.#options.received(envelope)
  }
}
