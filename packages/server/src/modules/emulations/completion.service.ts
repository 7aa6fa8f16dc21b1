import type { Logger } from 'pino'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import { type EventService, emulationEndedEvent } from '../events/index.ts'
import type { MessageService } from '../jobs/index.ts'
import type { EmulationStore, EndedEmulation, PartState } from './emulations.store.ts'
import { countOf } from './part-reports.format.ts'
import { partSizeOf } from './parts.rules.ts'
import { RepeatedFailures } from './repeated-failures.rules.ts'

interface Options {
  postgres: Postgres
  events: EventService
  store: EmulationStore
  messages: MessageService
  removeAfterS: number
  log: Logger
}

type Figures = Record<string, unknown>
type Outcome = Parameters<typeof emulationEndedEvent>[0]['outcome']

/** About half a minute: it is retried every second. */
const maxFailures = 30
const withoutSummary = 'Its summary could not be computed. The log of the server has the reason.'

/** Sends the summary of emulations that have ended. */
export class CompletionService {
  readonly #options: Options
  readonly #failures = new RepeatedFailures()

  constructor(options: Options) {
    this.#options = options
  }

  async completeEnded(): Promise<void> {
    const { store } = this.#options
    const failed: [EndedEmulation, unknown][] = []
    for (const emulation of await store.ended())
      await this.#complete(emulation).catch((error: unknown) => void failed.push([emulation, error]))
    this.#failures.keep(failed.map(([{ jobNumber }]) => jobNumber))
    for (const [emulation, error] of failed) await this.#handleFailure(emulation, error)
  }

  /**
   * Retried with the next poll. If it fails again and again, the emulation ends without a summary: its agents would be
   * counted for ever.
   */
  async #handleFailure(emulation: EndedEmulation, error: unknown): Promise<void> {
    const { log, messages } = this.#options
    const { jobNumber } = emulation
    // An engine that is down may be so for long.
    const isOutage = error instanceof Refused && error.kind === 'unavailable'
    if (isOutage)
      return log.debug({ err: error, job: jobNumber }, 'the summary of an emulation is sent later')
    const count = this.#failures.add(jobNumber)
    const level = count === 1 ? 'warn' : 'debug'
    log[level]({ err: error, job: jobNumber }, 'the summary of an emulation could not be sent; retrying')
    if (count < maxFailures) return
    log.error({ err: error, job: jobNumber }, 'an emulation ends without its summary')
    await messages.end(jobNumber, 'failed', withoutSummary)
    await this.#setCompleted(emulation, 'failed')
  }

  async #complete(emulation: EndedEmulation): Promise<void> {
    const { store, messages } = this.#options
    const { jobNumber, agents, stoppedBy } = emulation
    const parts = await store.parts(jobNumber)
    const reasons = [...new Set(parts.flatMap(({ detail }) => detail ?? []))]
    const state = stoppedBy !== null ? 'stopped' : reasons.length > 0 ? 'failed' : 'finished'
    await messages.postUnlimited({
      jobNumber,
      data: JSON.stringify([summaryOf(parts, { agents, state, reasons })]),
      final: state === 'finished',
      key: 'summary',
    })
    if (state === 'stopped') await messages.end(jobNumber, 'succeeded', `Stopped by ${stoppedBy}.`)
    if (state === 'failed') await messages.end(jobNumber, 'failed', reasons.join(' '))
    await this.#setCompleted(emulation, state)
  }

  async #setCompleted({ jobNumber, owner, agents }: EndedEmulation, outcome: Outcome): Promise<void> {
    const { postgres, store, events, removeAfterS } = this.#options
    await postgres.transaction(async (tx) => {
      if (await store.setCompleted(tx, jobNumber, removeAfterS))
        await events.append(tx, [emulationEndedEvent({ jobNumber, owner, agents, outcome })])
    })
  }
}

function summaryOf(
  parts: readonly PartState[],
  { agents, state, reasons }: { agents: number; state: string; reasons: readonly string[] },
) {
  const figures = parts.map(figuresOf)
  const sum = (name: string) => figures.reduce((all, each) => all + countOf(each[name]), 0)
  return {
    state,
    agents,
    live: figures.reduce((all, each) => all + mostLiveOf(each), 0),
    failed: sum('failed') + neverLive(parts, agents),
    samples: sum('samples') + sum('samples_before'),
    commands: sum('commands') + sum('commands_before'),
    time_to_full_s: Math.max(0, ...figures.map((each) => countOf(each['time_to_full_s']))),
    parts: parts.length,
    ...(reasons.length > 0 && { reasons }),
  }
}

/** Agents of failed parts that were never live. Failures that an emulator reported are counted already. */
function neverLive(parts: readonly PartState[], agents: number): number {
  const maxSize = partSizeOf(agents, parts.length)
  return parts
    .filter(({ state }) => state === 'failed')
    .reduce((all, part) => {
      const figures = figuresOf(part)
      const size = Math.min(maxSize, agents - (part.part - 1) * maxSize)
      return all + Math.max(0, size - mostLiveOf(figures) - countOf(figures['failed']))
    }, 0)
}

const figuresOf = ({ figures }: PartState) => JSON.parse(figures ?? '{}') as Figures

/** Over all emulators that have run the part. */
const mostLiveOf = (figures: Figures) =>
  Math.max(countOf(figures['most_live']), countOf(figures['most_live_before']))
