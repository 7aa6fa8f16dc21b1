import { maxMessageBytes } from '@manc/contract/broker'
import { Bell } from './bell.ts'
import type { Channel } from './channel.ts'
import type { CommandHandler } from './commands.ts'
import { isForGood, TooLarge } from './errors.ts'
import { HttpChannel } from './http-channel.ts'
import type { Keep } from './keep.ts'
import { MqttChannel } from './mqtt-channel.ts'
import { delayMs, outage, type Problem, refusal, wordsOf } from './problem.ts'
import { Problems } from './problems.ts'
import { type Sample, sampleOf } from './sample.ts'

export interface ConnectOptions {
  /** Where the controller is, for example `https://manc.example.org`. */
  url: string
  /** For example `mqtts://manc.example.org:8883`. Without it everything goes over HTTP. */
  mqttUrl?: string
  apId: string
  password: string
  /** Where the device is and what it is; told with the first connection. */
  configuration?: Record<string, unknown>
  /** Without one, commands are not taken and expire. */
  onCommand?: CommandHandler
  /** Told of what a person should know: once, until it has passed. */
  onProblem?: (problem: Problem) => void
  keep?: {
    /** Beyond so much that waits, the oldest go (16 MiB). */
    bytes?: number
    /** What waits is kept here too, and outlives the process. One agent has one folder. */
    folder?: string
  }
  /** Ends the agent at once. */
  signal?: AbortSignal
}

const batchBytes = 262_144
/** A sample on its own may have as much as the controller takes in one message, less what is put around it. */
const mostBytes = maxMessageBytes - 64
const mostSamples = 10_000

export class ConnectedAgent {
  /** Samples that the controller refused for good. */
  setAside = 0
  readonly #options: ConnectOptions
  readonly #keep: Keep
  readonly #channel: Channel
  /** There is something to do. */
  readonly #work = new Bell()
  /** A wait is over early. */
  readonly #hurry = new Bell()
  readonly #ending = new AbortController()
  readonly #problems: Problems
  /** Told anew when it is set. */
  #configuration: Record<string, unknown> | undefined
  #most = mostSamples
  #isStopping = false
  #isDelivering = false
  #running: Promise<void> | undefined
  #stopped: Promise<void> | undefined
  readonly #abort = () => void this.stop({ withinMs: 0 })

  /** @internal */
  constructor(options: ConnectOptions, keep: Keep) {
    const { url, mqttUrl, apId, password, onCommand, configuration } = options
    const credentials = { url, apId, password, ...(onCommand && { onCommand }) }
    this.#options = options
    this.#keep = keep
    this.#problems = new Problems((problem) => options.onProblem?.(problem))
    this.#configuration = configuration
    this.#channel =
      mqttUrl === undefined
        ? new HttpChannel(credentials, {
            onNews: () => this.#work.ring(),
            onRefused: (error) => this.#problems.tell(refusal('The result of a command', error)),
          })
        : new MqttChannel({
            ...credentials,
            mqttUrl,
            onTrouble: (error) => this.#problems.stands(outage(error, apId)),
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

  /** How many samples are not with the controller yet. */
  get waiting(): number {
    return this.#keep.waiting
  }

  /** How many had to go because too much waited. */
  get dropped(): number {
    return this.#keep.dropped
  }

  /** What is wrong now. */
  get problems(): Problem[] {
    return this.#problems.standing
  }

  /** Keeps a reading, and sends it as soon as can be. `ts` is epoch milliseconds: two of one time are one. */
  record(payload: Record<string, unknown>, ts = Date.now()): void {
    if (this.#isStopping) throw new Error('The agent was stopped. Make another with connectAgent.')
    const sample = sampleOf(payload, ts)
    const text = JSON.stringify(sample)
    if (new TextEncoder().encode(text).length > mostBytes) {
      const error = new TooLarge('A sample has at most 1 MiB. Send less in one.')
      this.setAside += 1
      return this.#problems.tell(refusal('A sample', error, sample))
    }
    const before = this.dropped
    this.#keep.add(text)
    if (this.dropped > before)
      this.#problems.stands({
        kind: 'full',
        message:
          'More waits than may be kept: the oldest samples go. See why nothing gets through, or keep more bytes.',
      })
    if (this.#keep.isOnDisk) this.#problems.passed('disk')
    this.#work.ring()
  }

  /** Another configuration; told as soon as can be. */
  configure(configuration: Record<string, unknown>): void {
    this.#configuration = configuration
    this.#work.ring()
  }

  /** Delivers what waits, as far as it gets within the time; the rest stays in the folder, if there is one. */
  stop({ withinMs = 5000 } = {}): Promise<void> {
    this.#stopped ??= this.#stop(withinMs)
    return this.#stopped
  }

  /** @internal */
  diskFailed(error: unknown): void {
    this.#problems.stands({
      kind: 'disk',
      message: `Samples are kept in memory alone: ${wordsOf(error)} Make room on the disk, or name another folder.`,
    })
  }

  async #stop(withinMs: number): Promise<void> {
    this.#isStopping = true
    this.#options.signal?.removeEventListener('abort', this.#abort)
    const end = () => {
      this.#ending.abort(new Error('The agent was stopped.'))
      this.#work.ring()
      this.#hurry.ring()
    }
    const timer = setTimeout(end, this.#isDone ? 0 : withinMs)
    this.#work.ring()
    this.#hurry.ring()
    await this.#running
    clearTimeout(timer)
    await this.#channel.stop(!this.#isDelivering)
    this.#keep.close()
  }

  get #isDone(): boolean {
    return this.waiting === 0 && !this.#channel.hasNews
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
        if (this.connected) this.#problems.passed('credentials', 'unreachable')
        attempt = 0
        if (this.waiting === 0 && !this.#isStopping) await this.#work.wait(this.#channel.restMs)
      } catch (error) {
        if (signal.aborted) return
        this.#problems.stands(outage(error, this.#options.apId))
        await this.#hurry.wait(delayMs(attempt, error))
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
      if (!isForGood(error)) throw error
      this.#problems.tell(refusal('The configuration', error))
    }
    // Unless there is another by now.
    if (this.#configuration === configuration) this.#configuration = undefined
  }

  /** One batch at a time, so that they arrive in order. Of a batch that is refused the halves are tried. */
  async #deliver(signal: AbortSignal): Promise<void> {
    const batch = this.#keep.oldest(batchBytes, this.#most)
    const samples = batch.map(({ text }) => JSON.parse(text) as Sample)
    this.#isDelivering = true
    try {
      await this.#channel.deliver(samples, signal)
      this.#most = Math.min(mostSamples, this.#most * 2)
    } catch (error) {
      if (!isForGood(error)) throw error
      if (batch.length > 1) {
        this.#most = Math.ceil(batch.length / 2)
        return
      }
      this.setAside += 1
      this.#problems.tell(refusal('A sample', error, samples[0]))
    } finally {
      this.#isDelivering = signal.aborted
    }
    this.#keep.acknowledged(batch)
    this.#problems.passed('full')
  }
}
