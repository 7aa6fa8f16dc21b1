import type { CommandForAgent, CommandResultMessage } from '@manc/contract'

/** Runs a command. Its return value is reported as the result; an error that it throws, as the failure. */
export type CommandHandler = (command: CommandForAgent) => unknown

/** What an agent reports about a command. */
export type CommandNews = CommandResultMessage

const maxRemembered = 1000
/** As the controller accepts by default (`MANC_COMMAND_RESULT_BYTES`). */
const maxResultBytes = 65_536

/** Resolves when the controller has received the report. */
export type Report = (result: CommandNews) => void | Promise<void>

/** Runs each command once, however often it is received, and never after it has expired. */
export class CommandRunner {
  readonly #handler: CommandHandler
  /** The last report on each command. */
  readonly #reported = new Map<string, CommandNews>()

  constructor(handler: CommandHandler) {
    this.#handler = handler
  }

  async handle(command: CommandForAgent, report: Report): Promise<void> {
    const { id } = command
    const reportAndRemember = (result: CommandNews) => {
      this.#remember(result)
      return report(result)
    }
    const reported = this.#reported.get(id)
    // Received again because the report was lost.
    if (reported) return report(reported)
    if (Date.now() >= Date.parse(command.expires_at)) return
    // Reported before it runs: a command that ends this process must not be received again afterwards.
    try {
      await reportAndRemember({ id, state: 'delivered' })
    } catch (error) {
      // Then it is received again, and must run.
      this.#reported.delete(id)
      throw error
    }
    await reportAndRemember(await this.#run(command))
  }

  async #run(command: CommandForAgent): Promise<CommandNews> {
    const { id, expires_at: expiresAt } = command
    // An outage may have delayed the report.
    if (Date.now() >= Date.parse(expiresAt))
      return { id, state: 'failed', detail: 'It expired before it could be carried out.' }
    try {
      const result: unknown = await this.#handler(command)
      const text = JSON.stringify(result)
      if (text !== undefined && new TextEncoder().encode(text).length > maxResultBytes)
        throw new Error('It was carried out, but its result is too large to be sent.')
      return { id, state: 'succeeded', ...(text !== undefined && { result }) }
    } catch (error) {
      return {
        id,
        state: 'failed',
        detail: (error instanceof Error ? error.message : String(error)).slice(0, 4096),
      }
    }
  }

  #remember(result: CommandNews): void {
    this.#reported.set(result.id, result)
    const [oldest] = this.#reported.keys()
    if (this.#reported.size > maxRemembered && oldest !== undefined) this.#reported.delete(oldest)
  }
}

/** Undefined where the text is no command. */
export function parseCommand(text: string): CommandForAgent | undefined {
  try {
    const { id, command, expires_at } = JSON.parse(text) as Partial<CommandForAgent>
    return id !== undefined && command !== undefined && expires_at !== undefined
      ? { id, command, expires_at }
      : undefined
  } catch {
    return undefined
  }
}
