import { setTimeout as sleep } from 'node:timers/promises'
import type { PartMessage, PartReport } from '@manc/contract/emulation-parts'
import { delayMs } from '@manc/sdk/agent'
import pLimit from 'p-limit'
import type { Cells } from './command.ts'
import { type Controller, NotAllowed } from './controller.ts'
import { EmulatedAccessPoint } from './emulated-agent.ts'

interface Options {
  message: PartMessage
  mqttUrl: string
  url: string
  controller: Controller
  cells: Cells
  /** This process. */
  emulator: string
  log: (line: string) => void
}

const everyMs = 1000
const tickMs = 20
const wordEveryMs = 2000
const wordAtLeastEveryMs = 10_000
/** Ours for 30 s after each word: without an answer for this long, somebody else may have it. */
const giveUpAfterMs = 25_000
const startsAtOnce = 20
const startJitterMs = 100

/** Runs the agents of one part, from their login to their end, for as long as the part is ours. */
export class Part {
  readonly #options: Options
  readonly #points: EmulatedAccessPoint[]
  readonly #startedAt = Date.now()
  readonly #stopping = new AbortController()
  #failed = 0
  #mostLive = 0
  #fullAfterS: number | null = null
  #isOurs = true
  /** When that was said which the controller has heard last. */
  #heardAt = Date.now()
  #said = ''
  #saidAt = 0

  constructor(options: Options) {
    this.#options = options
    const { message, mqttUrl, url, cells } = options
    const { job_number: jobNumber, data } = message
    const beginsAtMs = Date.parse(data.begins_at)
    const around = { mqttUrl, url, jobNumber, beginsAtMs, cells }
    this.#points = data.agents.flatMap((agent) => {
      const spec = data.specs[agent.spec]
      return spec ? [new EmulatedAccessPoint(agent, spec, around)] : []
    })
  }

  /** Once the controller has said whose part it is: false where it is somebody else's. */
  async accept(): Promise<boolean> {
    const { controller, message, log } = this.#options
    while (!this.#stopping.signal.aborted)
      try {
        this.#heardAt = Date.now()
        return await controller.say(message.job_number, this.#word('starting'), this.#stopping.signal)
      } catch (error) {
        if (error instanceof NotAllowed) throw error
        log(`the controller did not hear of part ${message.data.part}: ${(error as Error).message}`)
        await this.#sleep(1000)
      }
    return false
  }

  /** Until its end, or until it is lost or stopped. */
  async run(): Promise<void> {
    const { log, message } = this.#options
    const name = `${message.job_number} part ${message.data.part}/${message.data.parts}`
    log(`${name}: ${this.#points.length} agents`)
    const sending = this.#sendAll()
    void this.#startAll()
    await this.#report()
    this.#stopping.abort()
    // Those that are still starting are stopped as well, and not waited for: the broker may be away.
    await sending
    // Not all in the same moment; unless somebody else may run them by now, whom they would push out when they reconnect.
    const atOnce = pLimit(this.#isOurs ? 50 : Number.POSITIVE_INFINITY)
    await Promise.all(this.#points.map((point) => atOnce(() => point.stop())))
    log(`${name}: over`)
  }

  stop(): void {
    this.#stopping.abort()
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A crowd that is switched on one by one, and tries again where it fails. */
  async #startAll(): Promise<void> {
    const atOnce = pLimit(startsAtOnce)
    await Promise.all(this.#points.map((point) => atOnce(() => this.#start(point))))
  }

  async #start(point: EmulatedAccessPoint): Promise<void> {
    await this.#sleep(Math.random() * startJitterMs)
    for (let attempt = 0; !this.#isOver(point); attempt++)
      try {
        await point.start(this.#stopping.signal)
        if (attempt > 0) this.#failed -= 1
        return
      } catch (error) {
        // The controller is busy, or away: counted, and tried again.
        if (attempt === 0) this.#failed += 1
        await this.#sleep(delayMs(attempt, error))
      }
  }

  /** Each once a second at a moment of its own. */
  async #sendAll(): Promise<void> {
    const points = this.#points
    let sent = 0
    const startedAt = Date.now()
    while (!this.#stopping.signal.aborted) {
      await this.#sleep(tickMs)
      // Also where the process itself has stood still: by now somebody else may run them.
      if (this.#isLost()) return this.#lose()
      const due = Math.floor(((Date.now() - startedAt) * points.length) / everyMs)
      // What a stall has held up for more than a second is not caught up with.
      sent = Math.max(sent, due - points.length)
      for (; sent < due; sent++) {
        const point = points[sent % points.length]
        if (point?.isLive && !this.#isOver(point)) point.send(Date.now())
      }
    }
  }

  async #report(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // Each at its own end; and only then are its samples counted.
      await Promise.all(this.#points.filter((point) => this.#isOver(point)).map((point) => point.stop()))
      const isOver = this.#points.every((point) => this.#isOver(point))
      const word = this.#word(isOver ? 'finished' : 'running')
      // Samples come all the time: they are told along with what is new.
      const text = JSON.stringify({ ...word, samples: 0 })
      if (isOver || text !== this.#said || Date.now() > this.#saidAt + wordAtLeastEveryMs) {
        const isOurs = await this.#say(word)
        if (!isOurs) return this.#lose()
        if (isOver && this.#heardAt === this.#saidAt) return
        this.#said = text
      }
      if (this.#isLost()) return this.#lose()
      await this.#sleep(wordEveryMs)
    }
  }

  #word(state: PartReport['state']): PartReport {
    const live = this.#points.filter((point) => point.isLive).length
    this.#mostLive = Math.max(this.#mostLive, live)
    if (live === this.#points.length)
      this.#fullAfterS ??= Math.round((Date.now() - this.#startedAt) / 100) / 10
    return {
      part: this.#options.message.data.part,
      emulator: this.#options.emulator,
      state,
      agents: this.#points.length,
      live,
      technologies: this.#technologies(),
      most_live: this.#mostLive,
      failed: this.#failed,
      time_to_full_s: this.#fullAfterS,
      samples: this.#sum('samples'),
      commands: this.#sum('commands'),
    }
  }

  #technologies(): PartReport['technologies'] {
    const counts: PartReport['technologies'] = {}
    for (const { technology, isLive } of this.#points) {
      const count = (counts[technology] ??= { agents: 0, live: 0 })
      count.agents += 1
      if (isLive) count.live += 1
    }
    return counts
  }

  #sum(name: 'samples' | 'commands'): number {
    return this.#points.reduce((all, point) => all + point[name], 0)
  }

  async #say(word: PartReport): Promise<boolean> {
    const saidAt = Date.now()
    this.#saidAt = saidAt
    try {
      const { controller, message } = this.#options
      // Once it is lost nobody waits for the answer: its agents have to be gone by then.
      const isOurs = await controller.say(message.job_number, word, this.#stopping.signal)
      // The answer may have taken long; the lease did not wait for it.
      this.#heardAt = saidAt
      return isOurs
    } catch (error) {
      this.#options.log(`the controller did not hear of part ${word.part}: ${(error as Error).message}`)
      return true
    }
  }

  #isLost(): boolean {
    return Date.now() > this.#heardAt + giveUpAfterMs
  }

  #lose(): void {
    this.#isOurs = false
    this.stop()
  }

  #isOver(point: EmulatedAccessPoint): boolean {
    return this.#stopping.signal.aborted || Date.now() >= point.endsAtMs
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}
