import { readFileSync } from 'node:fs'

/** CPU time of all cores since boot, in clock ticks. */
interface MachineTime {
  at: number
  stolen: number
  all: number
}

const sampleMs = 250
/** Of the CPU time of all cores. With more, a request is slow whatever the server does. */
const maxShare = 0.1
/** A sample that is later than this was held up with the whole machine: this process has little to do. */
const lateMs = 1000

/**
 * When the hypervisor gave the CPU of this machine to another one. On a shared host that lasts for tenths of a second at a
 * time, which is more than a request takes.
 */
export class StolenTime {
  readonly #periods: { from: number; to: number }[] = []
  readonly #timer: NodeJS.Timeout
  #last = readMachineTime()

  constructor() {
    this.#timer = setInterval(() => this.#sample(), sampleMs)
    this.#timer.unref()
  }

  /** Whether much of the CPU time between two times was stolen. */
  overlaps(from: number, to: number): boolean {
    const n = this.#firstEndingAfter(from)
    const period = this.#periods[n]
    return period !== undefined && period.from <= to
  }

  /** For how long much of the CPU time was stolen, since a time and until now. */
  msSince(from: number): number {
    this.#sample()
    return this.#periods
      .slice(this.#firstEndingAfter(from))
      .reduce((sum, period) => sum + period.to - Math.max(from, period.from), 0)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sample(): void {
    const { at: from, stolen, all } = this.#last
    const now = readMachineTime()
    this.#last = now
    const share = (now.stolen - stolen) / Math.max(1, now.all - all)
    if (share > maxShare || now.at - from > lateMs) this.#periods.push({ from, to: now.at })
  }

  /** There are thousands of periods and hundreds of thousands of operations. */
  #firstEndingAfter(time: number): number {
    let [low, high] = [0, this.#periods.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#periods[middle]?.to ?? 0) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}

function readMachineTime(): MachineTime {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  const ticks = fields.map(Number)
  return {
    at: Date.now(),
    stolen: ticks[7] ?? 0,
    all: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0),
  }
}
