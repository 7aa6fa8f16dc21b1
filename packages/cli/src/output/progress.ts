import { paintError } from './colour.ts'

/** Progress on standard error: redrawn in place on a terminal, not shown elsewhere. */
export class Progress {
  #drawn = 0

  /** Replaces the shown lines. */
  draw(...lines: string[]): void {
    if (!process.stderr.isTTY) return
    process.stderr.write(`${this.#back()}${lines.map((line) => `${line}\n`).join('')}`)
    this.#drawn = lines.length
  }

  clear(): void {
    process.stderr.write(this.#back())
    this.#drawn = 0
  }

  #back(): string {
    return this.#drawn === 0 ? '' : `\u001B[${this.#drawn}A\u001B[0J`
  }
}

export function bar(done: number, all: number, width = 30): string {
  const full = all === 0 ? width : Math.min(width, Math.round((done / all) * width))
  return paintError('green', '█'.repeat(full)) + '░'.repeat(width - full)
}
