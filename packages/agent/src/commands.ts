import type { DeviceCommands } from './drivers/driver.ts'
import { runTool } from './run-tool.ts'

/** A command of the allow-list. It runs without a shell. */
export interface AllowedCommand {
  /** The program and its fixed arguments. */
  run: string[]
  /** A pattern for each further argument, which has to match as a whole. */
  arguments: string[]
  timeoutS: number
}

interface Device {
  commands: DeviceCommands
  execute(name: string, args: readonly string[]): Promise<object>
}

const maxOutputBytes = 8192
const noDevice: Device = { commands: {}, execute: () => Promise.reject(new Error('There is no device.')) }

/**
 * Executes the commands that the settings allow, those of the device, and `report`. The message of an error is sent as the
 * command's result. A program of the settings replaces a command of the device with the same name.
 */
export class Commands {
  readonly #allowed: Readonly<Record<string, AllowedCommand>>
  readonly #report: () => Promise<object>
  readonly #device: Device

  constructor(
    allowed: Readonly<Record<string, AllowedCommand>>,
    report: () => Promise<object>,
    device = noDevice,
  ) {
    this.#allowed = allowed
    this.#report = report
    this.#device = device
  }

  /** Sent to the controller in the agent's configuration. */
  get names(): string[] {
    return [...new Set(['report', ...Object.keys(this.#device.commands), ...Object.keys(this.#allowed)])]
  }

  async execute(text: string): Promise<object> {
    const [name = '', ...args] = text.trim().split(/\s+/)
    if (name === 'report' && args.length === 0) return this.#report()
    if (Object.hasOwn(this.#allowed, name))
      return this.#run(name, this.#allowed[name] as AllowedCommand, args)
    if (Object.hasOwn(this.#device.commands, name)) return this.#device.execute(name, args)
    throw new Error(`Command not allowed. Allowed: ${this.names.join(', ')}.`)
  }

  #run(name: string, entry: AllowedCommand, args: readonly string[]): Promise<object> {
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
