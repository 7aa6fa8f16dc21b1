import type { CommandForAgent, CommandResultMessage } from '@manc/contract'

/** Carries a command out. What it returns is told as the result; what it throws, as the reason why not. */
export type CommandHandler = (command: CommandForAgent) => unknown

/** What an agent reports about a command. */
export type CommandNews = CommandResultMessage

const mostRemembered = 1000
/** Of a result, as text. */
const mostBytes = 262_144

/** Resolves when the controller has it. */
export type Say = (news: CommandNews) => void | Promise<void>

/** Carries out each command once, however often it comes, and never after its time. */
export class CommandRunner {
  readonly #handler: CommandHandler
  /** The last word on each command that has come. */
  readonly #known = new Map<string, CommandNews>()

  constructor(handler: CommandHandler) {
    this.#handler = handler
  }

  async take(command: CommandForAgent, say: Say): Promise<void> {
    const { id } = command
    const tell = (news: CommandNews) => {
      this.#remember(news)
      return say(news)
    }
    const known = this.#known.get(id)
    // It comes again because our word has not arrived.
    if (known) return say(known)
    if (Date.now() >= Date.parse(command.expires_at)) return
    // Heard of first: a command that ends this very process must not come again after it.
    try {
      await tell({ id, state: 'delivered' })
    } catch (error) {
      // Then it does come again, and is to be carried out.
      this.#known.delete(id)
      throw error
    }
    await tell(await this.#carryOut(command))
  }

  async #carryOut(command: CommandForAgent): Promise<CommandNews> {
    const { id, expires_at: expiresAt } = command
    // It may have taken an outage until it was heard of.
    if (Date.now() >= Date.parse(expiresAt))
      return { id, state: 'failed', detail: 'Its time was over before it could be carried out.' }
    try {
      const result: unknown = await this.#handler(command)
      const text = JSON.stringify(result)
      if (text !== undefined && text.length > mostBytes)
        throw new Error('It was carried out, but its result is too large to be told.')
      return { id, state: 'succeeded', ...(text !== undefined && { result }) }
    } catch (error) {
      return {
        id,
        state: 'failed',
        detail: (error instanceof Error ? error.message : String(error)).slice(0, 4096),
      }
    }
  }

  #remember(news: CommandNews): void {
    this.#known.set(news.id, news)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** A message on the agent's command topic; undefined where it is none. */
export function commandOf(text: string): CommandForAgent | undefined {
  try {
    const { id, command, expires_at } = JSON.parse(text) as Partial<CommandForAgent>
    return id !== undefined && command !== undefined && expires_at !== undefined
      ? { id, command, expires_at }
      : undefined
  } catch {
    return undefined
  }
}
