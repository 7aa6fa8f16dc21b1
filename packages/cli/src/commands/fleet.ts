import { setTimeout as sleep } from 'node:timers/promises'
import type {
  AgentState,
  EmulatedChoice,
  FleetAgent,
  FleetSummary,
  Health,
  Manc,
  Technology,
} from '@manc/sdk'
import type { Command } from 'commander'
import { agentStates, emulatedChoices, healths, oneOf, someOf, technologies } from '../arguments.ts'
import { outageOf } from '../errors.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { isJson, print, printJson } from '../output/print.ts'
import { Screen } from '../output/screen.ts'
import { connect } from '../profile.ts'
import { fillChanges } from './fleet.changes.ts'
import { fillFigures } from './fleet.figures.ts'
import { fillTable } from './fleet.table.ts'
import { fillTrends } from './fleet.trends.ts'
import { type Fleet, fleetLines, type Trend } from './fleet.view.ts'

interface Options {
  once?: boolean
  technology?: Technology[]
  state?: AgentState[]
  health?: Health[]
  search?: string
  emulated?: EmulatedChoice
}

const intervalMs = 1000
/** Limit for scrolling; the counts above the list cover all access points. */
const maxRows = 1000
const rowsOnce = 20
const trendLength = 60

export function fill(command: Command): void {
  command
    .hook('preSubcommand', refuseOptions)
    .option('--once', 'print once instead of a live view')
    .option('--technology <names>', `only these: ${technologies.join(', ')}`, someOf(technologies))
    .option('--state <names>', `only these: ${agentStates.join(', ')}`, someOf(agentStates))
    .option('--health <names>', `only these: ${healths.join(', ')}`, someOf(healths))
    .option('--search <text>', 'only those whose id or name contains this text')
    .option(
      '--emulated <which>',
      'own (the default), all with those of others, or none',
      oneOf(emulatedChoices),
    )
    .action(showFleet)
  examples(
    command,
    'manc fleet',
    'manc fleet --technology LiFi',
    'manc fleet --health bad,degraded',
    'manc fleet --once',
    'manc fleet --json',
  )
  fillChanges(command)
  fillFigures(command)
  fillTable(command)
  fillTrends(command)
}

/** Options of the live view are accepted after the name of a subcommand too, which would ignore those that it does not have. */
function refuseOptions(command: Command, subcommand: Command): void {
  const own = new Set(subcommand.options.map(({ long }) => long))
  const wrong = command.options.find(
    (option) => command.getOptionValue(option.attributeName()) !== undefined && !own.has(option.long),
  )
  if (wrong)
    throw wrongUsage(
      `manc fleet ${subcommand.name()} has no option ${wrong.long}. Remove it, or see the options with --help.`,
    )
}

async function showFleet(options: Options, command: Command): Promise<void> {
  const manc = await connect(command)
  if (isJson(command)) return printJson(await readFleet(manc, options))
  if (!options.once && process.stdout.isTTY) return new Watch(manc, options).run()
  const fleet = await readFleet(manc, options)
  await print(...fleetLines(fleet, { columns: process.stdout.columns || 120, rows: rowsOnce, first: 0 }))
}

/** Offline access points first, the latest change first. */
async function readFleet(manc: Manc, filter: Options, signal?: AbortSignal): Promise<Fleet> {
  const { emulated } = filter
  const options = { ...(signal && { signal }), ...(emulated && { emulated }) }
  const { technology, health, search } = filter
  const agents: FleetAgent[] = []
  const summary = await manc.fleet.summary(options)
  for (const state of ['offline', 'stale', 'online'] as const) {
    if (filter.state && !filter.state.includes(state)) continue
    const some: FleetAgent[] = []
    const wanted = {
      state: [state],
      ...(technology && { technology }),
      ...(health && { health }),
      ...(search && { search }),
      ...options,
    }
    for await (const agent of manc.fleet.agents(wanted)) {
      if (agents.length + some.length >= maxRows) break
      some.push(agent)
    }
    agents.push(...some.sort((a, b) => Date.parse(b.since) - Date.parse(a.since)))
  }
  return { summary, agents }
}

/** The live view and its keys. */
class Watch {
  readonly #manc: Manc
  readonly #screen = new Screen((name, text) => this.#key(name, text))
  readonly #trend: Trend = new Map()
  #filter: Options
  #fleet: Fleet | undefined
  #first = 0
  /** The text in the search prompt, while it is open. */
  #typed: string | undefined
  #outage = ''
  #wake = () => {}

  constructor(manc: Manc, filter: Options) {
    this.#manc = manc
    this.#filter = filter
  }

  async run(): Promise<void> {
    const { signal } = this.#screen
    this.#screen.open()
    try {
      while (!signal.aborted) {
        await this.#refresh(signal)
        this.#draw()
        await Promise.race([
          sleep(intervalMs, undefined, { signal }),
          new Promise<void>((resolve) => {
            this.#wake = resolve
          }),
        ])
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#screen.close()
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    try {
      this.#fleet = await readFleet(this.#manc, this.#filter, signal)
      this.#outage = ''
      addToTrend(this.#trend, this.#fleet.summary)
    } catch (error) {
      // Keep the last values during an outage and show a message.
      const outage = this.#fleet && (await outageOf(error))
      if (signal.aborted || outage === undefined) throw error
      this.#outage = outage
    }
  }

  #draw(): void {
    if (!this.#fleet) return
    const { rows, columns } = this.#screen
    const foot =
      this.#outage ||
      (this.#typed === undefined
        ? `q quit  ↑↓ PgUp PgDn scroll  / search${this.#filter.search ? ` [${this.#filter.search}]` : ''}` +
          `  t technology [${this.#filter.technology?.join() ?? 'all'}]  s state [${this.#filter.state?.join() ?? 'all'}]` +
          `  h health [${this.#filter.health?.join() ?? 'all'}]`
        : `search: ${this.#typed}▏ Enter applies, Esc cancels`)
    const lines = fleetLines(this.#fleet, { rows: rows - 8, columns, first: this.#first, trend: this.#trend })
    this.#screen.draw([
      ...lines,
      ...Array.from({ length: Math.max(0, rows - 1 - lines.length) }, () => ''),
      foot,
    ])
  }

  #key(name: string, text: string): void {
    if (this.#typed !== undefined) this.#type(name, text)
    else if (name === 'q') this.#screen.quit()
    else if (name === 't') this.#choose({ technology: next(technologies, this.#filter.technology) })
    else if (name === 's') this.#choose({ state: next(agentStates, this.#filter.state) })
    else if (name === 'h') this.#choose({ health: next(healths, this.#filter.health) })
    else if (text === '/') this.#typed = this.#filter.search ?? ''
    else this.#scroll(steps(this.#screen.rows - 9)[name] ?? 0)
    this.#draw()
  }

  #type(name: string, text: string): void {
    const typed = this.#typed ?? ''
    if (name === 'return' || name === 'escape') {
      this.#typed = undefined
      if (name === 'return') this.#choose({ search: typed })
    } else if (name === 'backspace') this.#typed = typed.slice(0, -1)
    else if (!/\p{Cc}/u.test(text)) this.#typed = typed + text
  }

  #choose(change: {
    technology?: Technology[] | undefined
    state?: AgentState[] | undefined
    health?: Health[] | undefined
    search?: string
  }): void {
    this.#filter = { ...this.#filter, ...change } as Options
    this.#first = 0
    this.#wake()
  }

  #scroll(by: number): void {
    const last = Math.max(0, (this.#fleet?.agents.length ?? 0) - 1)
    this.#first = Math.min(last, Math.max(0, this.#first + by))
  }
}

const steps = (page: number): Record<string, number> => ({
  up: -1,
  down: 1,
  pageup: -page,
  pagedown: page,
  home: -Infinity,
  end: Infinity,
})

/** Cycles through all, then each name. */
function next<Name extends string>(
  names: readonly Name[],
  chosen: readonly Name[] | undefined,
): Name[] | undefined {
  const following = names[chosen?.[0] === undefined ? 0 : names.indexOf(chosen[0]) + 1]
  return following === undefined ? undefined : [following]
}

function addToTrend(trend: Trend, summary: FleetSummary): void {
  for (const { technology, online } of [
    { technology: 'all', online: summary.online },
    ...summary.technologies,
  ])
    trend.set(technology, [...(trend.get(technology) ?? []), online].slice(-trendLength))
}
