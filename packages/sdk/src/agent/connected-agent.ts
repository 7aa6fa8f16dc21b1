import type { AttachedClient } from '@manc/contract'
import { maxMessageBytes } from '@manc/contract/broker'
import type { TlsOptions } from '../tls-options.ts'
import { ActiveProblems } from './active-problems.ts'
import { AutoResetEvent } from './auto-reset-event.ts'
import type { Channel } from './channel.ts'
import { ClientReports } from './client-reports.ts'
import type { CommandHandler } from './commands.ts'
import { isPermanent, TooLarge } from './errors.ts'
import { HttpChannel } from './http-channel.ts'
import { MqttChannel } from './mqtt-channel.ts'
import { delayMs, outage, type Problem, reasonOf, refusal } from './problem.ts'
import { type Sample, sampleOf } from './sample.ts'
import type { SampleBuffer } from './sample-buffer.ts'

export interface ConnectOptions {
  /** The address of the controller, for example `https://manc.example.org`. */
  url: string
  /** For example `mqtts://manc.example.org:8883`. Without it everything goes over HTTP. */
  mqttUrl?: string
  apId: string
  password: string
  /** A private CA, and a client certificate for a broker or controller that requires one. */
  tls?: TlsOptions
  /** Position and properties of the access point; sent with the first connection. */
  configuration?: Record<string, unknown>
  /** Without one, commands are not received and expire. */
  onCommand?: CommandHandler
  /** Called once for each problem that a person should know of, until it is resolved. */
  onProblem?: (problem: Problem) => void
  keep?: {
    /** When more samples wait, the oldest are dropped (16 MiB). */
    bytes?: number
    /** Waiting samples are stored here too, and survive the process. A folder belongs to one agent. */
    folder?: string
  }
  /** Stops the agent at once. */
  signal?: AbortSignal
}

const maxBatchBytes = 262_144
/** The limit of a message, less its envelope. */
const maxSampleBytes = maxMessageBytes - 64
const maxBatchSamples = 10_000

export class ConnectedAgent {
  /** Samples that the controller refused permanently. */
  setAside = 0
  readonly #options: ConnectOptions
  readonly #buffer: SampleBuffer
  readonly #channel: Channel
  /** There is something to send. */
  readonly #work = new AutoResetEvent()
  /** Ends the wait before the next attempt. */
  readonly #retryNow = new AutoResetEvent()
  readonly #ending = new AbortController()
  readonly #problems: ActiveProblems
  readonly #clientReports = new ClientReports()
  #reportedConnection = 0
  /** Sent when it is set. */
  #configuration: Record<string, unknown> | undefined
  #batchSamples = maxBatchSamples
  #isStopping = false
  #isDelivering = false
  #running: Promise<void> | undefined
  #stopped: Promise<void> | undefined
  readonly #abort = () => void this.stop({ withinMs: 0 })

  /** @internal */
  constructor(options: ConnectOptions, buffer: SampleBuffer) {
    const { url, mqttUrl, apId, password, tls, onCommand, configuration } = options
    const credentials = { url, apId, password, ...(tls && { tls }), ...(onCommand && { onCommand }) }
    this.#options = options
    this.#buffer = buffer
    this.#problems = new ActiveProblems((problem) => options.onProblem?.(problem))
    this.#configuration = configuration
    this.#channel =
      mqttUrl === undefined
        ? new HttpChannel(credentials, {
            onPendingResult: () => this.#work.set(),
            onRefused: (error) => this.#problems.report(refusal('The result of a command', error)),
          })
        : new MqttChannel({
            ...credentials,
            mqttUrl,
            onTrouble: (error) => this.#problems.add(outage(error, apId)),
          })
  }

  /** @internal */
  start(): void {
    this.#running = this.#run()
    const { signal } = this.#options
    if (signal?.aborted) void this.stop({ withinMs: 0 })
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  get connected(): boolean {
    return this.#channel.isConnected
  }

  /** Samples that the controller has not acknowledged yet. */
  get waiting(): number {
    return this.#buffer.waiting
  }

  /** Samples that were dropped because the buffer was full. */
  get dropped(): number {
    return this.#buffer.dropped
  }

  /** The problems that exist now. */
  get problems(): Problem[] {
    return this.#problems.list
  }

  /** Buffers a sample and sends it as soon as possible. `ts` is epoch milliseconds: of two with the same time one is stored. */
  record(payload: Record<string, unknown>, ts = Date.now()): void {
    if (this.#isStopping) throw new Error('The agent was stopped. Make another with connectAgent.')
    const sample = sampleOf(payload, ts)
    const text = JSON.stringify(sample)
    if (new TextEncoder().encode(text).length > maxSampleBytes) {
      const error = new TooLarge('A sample has at most 1 MiB. Send less in one.')
      this.setAside += 1
      return this.#problems.report(refusal('A sample', error, sample))
    }
    const before = this.dropped
    this.#buffer.add(text)
    if (this.dropped > before)
      this.#problems.add({
        kind: 'full',
        message:
          'The buffer is full: the oldest samples are dropped. Check why nothing is delivered, or keep more bytes.',
      })
    if (this.#buffer.isOnDisk) this.#problems.resolve('disk')
    this.#work.set()
  }

  /**
   * Reports all clients that are attached now. Call it with each measurement: changes are sent at once, and all clients with
   * each connection and every 20 s. Over HTTP, clients are not reported.
   */
  reportClients(clients: readonly AttachedClient[]): void {
    const { isConnected, connections = 0 } = this.#channel
    if (!this.#channel.reportClients || !isConnected || this.#isStopping) return
    if (connections !== this.#reportedConnection) this.#clientReports.reset()
    this.#reportedConnection = connections
    const message = this.#clientReports.next(clients)
    // Lost with the connection: the next message has all clients.
    if (message) this.#channel.reportClients(message).catch(() => this.#clientReports.reset())
  }

  /** Replaces the configuration; sent as soon as possible. */
  configure(configuration: Record<string, unknown>): void {
    this.#configuration = configuration
    this.#work.set()
  }

  /** Delivers waiting samples within the time; the rest stays in the folder, if there is one. */
  stop({ withinMs = 5000 } = {}): Promise<void> {
    this.#stopped ??= this.#stop(withinMs)
    return this.#stopped
  }

  /** @internal */
  diskFailed(error: unknown): void {
    this.#problems.add({
      kind: 'disk',
      message: `Samples are kept in memory only: ${reasonOf(error)} Free disk space, or name another folder.`,
    })
  }

  async #stop(withinMs: number): Promise<void> {
    this.#isStopping = true
    this.#options.signal?.removeEventListener('abort', this.#abort)
    const end = () => {
      this.#ending.abort(new Error('The agent was stopped.'))
      this.#work.set()
      this.#retryNow.set()
    }
    const timer = setTimeout(end, this.#isDone ? 0 : withinMs)
    this.#work.set()
    this.#retryNow.set()
    await this.#running
    clearTimeout(timer)
    await this.#channel.stop(!this.#isDelivering)
    this.#buffer.close()
  }

  get #isDone(): boolean {
    return this.waiting === 0 && !this.#channel.hasPendingResults
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    let attempt = 0
    while (!signal.aborted && !(this.#isStopping && this.#isDone)) {
      try {
        await this.#channel.connect(signal)
        await this.#onboard(signal)
        await this.#channel.exchange(signal)
        if (this.waiting > 0) await this.#deliver(signal)
        if (this.connected) this.#problems.resolve('credentials', 'unreachable')
        attempt = 0
        if (this.waiting === 0 && !this.#isStopping) await this.#work.wait(this.#channel.idleMs)
      } catch (error) {
        if (signal.aborted) return
        this.#problems.add(outage(error, this.#options.apId))
        await this.#retryNow.wait(delayMs(attempt, error))
        attempt += 1
      }
    }
  }

  async #onboard(signal: AbortSignal): Promise<void> {
    const configuration = this.#configuration
    if (!configuration) return
    try {
      await this.#channel.onboard(configuration, signal)
    } catch (error) {
      if (!isPermanent(error)) throw error
      this.#problems.report(refusal('The configuration', error))
    }
    // Unless it was replaced meanwhile.
    if (this.#configuration === configuration) this.#configuration = undefined
  }

  /** One batch at a time, to keep the order. A refused batch is halved until the refused sample is found. */
  async #deliver(signal: AbortSignal): Promise<void> {
    const batch = this.#buffer.oldest(maxBatchBytes, this.#batchSamples)
    const samples = batch.map(({ text }) => JSON.parse(text) as Sample)
    this.#isDelivering = true
    try {
      await this.#channel.deliver(samples, signal)
      this.#batchSamples = Math.min(maxBatchSamples, this.#batchSamples * 2)
    } catch (error) {
      if (!isPermanent(error)) throw error
      if (batch.length > 1) {
        this.#batchSamples = Math.ceil(batch.length / 2)
        return
      }
      this.setAside += 1
      this.#problems.report(refusal('A sample', error, samples[0]))
    } finally {
      this.#isDelivering = signal.aborted
    }
    this.#buffer.acknowledged(batch)
    this.#problems.resolve('full')
  }
}
