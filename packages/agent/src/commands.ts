import { runTool } from './run-tool.ts'
import type { AllowedCommand } from './settings.ts'

const mostOutput = 8192

/** Carries out what the settings allow, and `report`. What it throws is told as the reason why not. */
export class Commands {
  readonly #allowed: Readonly<Record<string, AllowedCommand>>
  readonly #report: () => Promise<object>

  constructor(allowed: Readonly<Record<string, AllowedCommand>>, report: () => Promise<object>) {
    this.#allowed = allowed
    this.#report = report
  }

  /** What to list in the configuration. */
  get names(): string[] {
    return ['report', ...Object.keys(this.#allowed)]
  }

  async carryOut(text: string): Promise<object> {
    const [name = '', ...words] = text.trim().split(/\s+/)
    if (name === 'report' && words.length === 0) return this.#report()
    const entry = Object.hasOwn(this.#allowed, name) ? this.#allowed[name] : undefined
    if (!entry) throw new Error(`Not allowed here. Allowed: ${this.names.join(', ')}.`)
    const areFit =
      words.length === entry.arguments.length &&
      words.every((word, n) => new RegExp(`^(?:${entry.arguments[n]})$`).test(word)) &&
      // A program would take it for an option, which a careless pattern such as [a-z0-9-]+ did not mean to allow.
      words.every((word) => !word.startsWith('-'))
    if (!areFit) throw new Error(`Not allowed with these words. ${usage(name, entry)}`)
    return run([...entry.run, ...words], entry.timeoutS)
  }
}

const usage = (name: string, entry: AllowedCommand) =>
  entry.arguments.length === 0
    ? `${name} takes none.`
    : `After ${name} come words that match: ${entry.arguments.join(' ')}.`

async function run(words: readonly string[], timeoutS: number): Promise<object> {
  const { code, output, isCut } = await runTool(words, { timeoutMs: timeoutS * 1000, mostBytes: mostOutput })
  const said = output.trim()
  if (code === 0) return { exit_code: 0, output: said, ...(isCut && { cut: true }) }
  const why = code === null ? `Ended after ${timeoutS} s.` : `Ended with ${code}.`
  throw new Error(said === '' ? why : `${why} ${said.slice(-800)}`)
}
