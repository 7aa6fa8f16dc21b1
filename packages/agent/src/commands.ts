import { runTool } from './run-tool.ts'
import type { AllowedCommand } from './settings.ts'

const maxOutputBytes = 8192

/** Executes the commands that the settings allow, and `report`. The message of an error is sent as the command's result. */
export class Commands {
  readonly #allowed: Readonly<Record<string, AllowedCommand>>
  readonly #report: () => Promise<object>

  constructor(allowed: Readonly<Record<string, AllowedCommand>>, report: () => Promise<object>) {
    this.#allowed = allowed
    this.#report = report
  }

  /** Sent to the controller in the agent's configuration. */
  get names(): string[] {
    return ['report', ...Object.keys(this.#allowed)]
  }

  async execute(text: string): Promise<object> {
    const [name = '', ...args] = text.trim().split(/\s+/)
    if (name === 'report' && args.length === 0) return this.#report()
    const entry = Object.hasOwn(this.#allowed, name) ? this.#allowed[name] : undefined
    if (!entry) throw new Error(`Command not allowed. Allowed: ${this.names.join(', ')}.`)
    const areValid =
      args.length === entry.arguments.length &&
      args.every((arg, n) => new RegExp(`^(?:${entry.arguments[n]})$`).test(arg)) &&
      // A broad pattern such as [a-z0-9-]+ would otherwise let a caller pass options to the program.
      args.every((arg) => !arg.startsWith('-'))
    if (!areValid) throw new Error(`Arguments not allowed. ${usage(name, entry)}`)
    return run([...entry.run, ...args], entry.timeoutS)
  }
}

const usage = (name: string, entry: AllowedCommand) =>
  entry.arguments.length === 0
    ? `${name} takes no arguments.`
    : `${name} takes arguments that match: ${entry.arguments.join(' ')}.`

async function run(commandLine: readonly string[], timeoutS: number): Promise<object> {
  const { code, output, isCut } = await runTool(commandLine, {
    timeoutMs: timeoutS * 1000,
    maxBytes: maxOutputBytes,
  })
  const text = output.trim()
  if (code === 0) return { exit_code: 0, output: text, ...(isCut && { cut: true }) }
  const reason = code === null ? `Timed out after ${timeoutS} s.` : `Exited with code ${code}.`
  throw new Error(text === '' ? reason : `${reason} ${text.slice(-800)}`)
}
