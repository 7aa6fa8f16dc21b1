/**
 * Bounds how many devices are read at the same time. A slot is held until the work ends, but no longer than `holdMs`: devices
 * that do not answer must not keep the slots from the others. Each access point has one reading at a time, so the number of
 * readings that wait for a device is bounded by the number of access points.
 */
export class Slots {
  readonly #holdMs: number
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(size: number, holdMs = 1000) {
    this.#free = size
    this.#holdMs = holdMs
  }

  /** With fewer, those that are held stay until their work ends. */
  resize(by: number): void {
    this.#free += by
    while (this.#free > 0 && this.#waiting.length > 0) {
      this.#free -= 1
      this.#waiting.shift()?.()
    }
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.resize(1)
    }
    const timer = setTimeout(release, this.#holdMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      release()
    }
  }
}
