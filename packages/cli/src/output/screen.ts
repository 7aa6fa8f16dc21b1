import { writeSync } from 'node:fs'
import { emitKeypressEvents, type Key } from 'node:readline'

const enter = '\u001B[?1049h\u001B[?25l'
const leave = '\u001B[?25h\u001B[?1049l'

/** Full-screen mode of the terminal. It is left however the program ends. */
export class Screen {
  readonly #stop = new AbortController()
  readonly #onKey: ((name: string, text: string) => void) | undefined
  #isOpen = false

  constructor(onKey?: (name: string, text: string) => void) {
    this.#onKey = onKey
  }

  /** Aborted when the user quits. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get rows(): number {
    return process.stdout.rows || 24
  }

  get columns(): number {
    return process.stdout.columns || 80
  }

  open(): void {
    this.#isOpen = true
    process.stdout.write(enter)
    process.once('exit', this.close)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, this.quit)
    if (!process.stdin.isTTY) return
    emitKeypressEvents(process.stdin)
    process.stdin.setRawMode(true)
    process.stdin.resume()
    process.stdin.on('keypress', this.#key)
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return
    const shown = lines.slice(0, this.rows)
    process.stdout.write(`\u001B[H${shown.map((line) => `${line}\u001B[K`).join('\r\n')}\u001B[0J`)
  }

  quit = (): void => this.#stop.abort()

  close = (): void => {
    if (!this.#isOpen) return
    this.#isOpen = false
    process.off('exit', this.close)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, this.quit)
    if (process.stdin.isTTY) {
      process.stdin.off('keypress', this.#key)
      process.stdin.setRawMode(false)
      process.stdin.pause()
    }
    // Synchronous: the process may be about to exit.
    writeSync(1, leave)
  }

  #key = (text: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === 'c') this.quit()
    else this.#onKey?.(key.name ?? '', text ?? '')
  }
}
