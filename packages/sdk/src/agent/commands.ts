import type { CommandForAgent } from '@manc/contract'

/** Carries a command out. What it returns is told as the result; what it throws, as the reason why not. */
export type CommandHandler = (command: CommandForAgent) => unknown

/** What an agent tells of a command. */
export interface CommandNews {
  id: string
  state: 'delivered' | 'succeeded' | 'failed'
  result?: unknown
  detail?: string
}

const mostRemembered = 1000

/** Carries out each command once, however often it comes, and never after its time. */
export class CommandRunner {
  readonly #handler: CommandHandler
  /** The last word on each command that has come. */
  readonly #known = new Map<string, CommandNews>()

  constructor(handler: CommandHandler) {
    this.#handler = handler
  }

  async take(command: CommandForAgent, say: (news: CommandNews) => void): Promise<void> {
    const { id } = command
    const tell = (news: CommandNews) => {
      this.#remember(news)
      say(news)
    }
    const known = this.#known.get(id)
    // It comes again because our word has not arrived.
    if (known) return say(known)
    if (Date.now() >= Date.parse(command.expires_at)) return
    tell({ id, state: 'delivered' })
    try {
      const result: unknown = await this.#handler(command)
      tell({ id, state: 'succeeded', ...(result !== undefined && { result }) })
    } catch (error) {
      tell({ id, state: 'failed', detail: error instanceof Error ? error.message : String(error) })
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
