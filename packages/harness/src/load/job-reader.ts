import WebSocket from 'ws'

export interface Envelope {
  type: string
  job_number: string
  seq: number
  final: boolean
  data: unknown
}

interface Parts {
  /** Of the replicas, in turn. */
  urls: readonly string[]
  token: string
  jobNumber: string
  received: (envelope: Envelope) => void
  /** Of each connection that ended before the last message: why. */
  lost: (why: string) => void
}

const comeBackAfterMs = 200
const openWithinMs = 5000

/** One client of one job. However its connection ends, it comes back and says what it has, until the last message. */
export class JobReader {
  lastSeq = 0
  /** Messages that it had already. */
  duplicated = 0
  /** Messages before which another is missing. */
  gaps = 0
  readonly #parts: Parts
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #turn = Math.floor(Math.random() * 2)
  #isDone = false

  constructor(parts: Parts) {
    this.#parts = parts
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
    const { urls, token, jobNumber, lost } = this.#parts
    const url = urls[this.#turn++ % urls.length]?.replace('http', 'ws')
    const socket = new WebSocket(`${url}/api/v1/ws/${jobNumber}?after=${this.lastSeq}`, ['manc.v1'], {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: openWithinMs,
    })
    this.#socket = socket
    let failure: string | undefined
    socket.on('message', (data) => this.#take(socket, JSON.parse((data as Buffer).toString()) as Envelope))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message
    })
    // Also after an upgrade that was refused.
    socket.on('close', (code) => {
      if (this.#isDone) return
      lost(failure ?? `closed with ${code}`)
      this.#timer = setTimeout(() => this.#connect(), comeBackAfterMs * (1 + 1.5 * Math.random()))
    })
  }

  #take(socket: WebSocket, envelope: Envelope): void {
    const { seq, final } = envelope
    if (seq <= this.lastSeq) this.duplicated += 1
    else if (seq > this.lastSeq + 1) this.gaps += 1
    this.lastSeq = Math.max(this.lastSeq, seq)
    // The server closes once it has heard that the last one has come: until then it may still send too much.
    if (final) this.#isDone = true
    socket.send(JSON.stringify({ type: 'ack', seq }))
    this.#parts.received(envelope)
  }
}
