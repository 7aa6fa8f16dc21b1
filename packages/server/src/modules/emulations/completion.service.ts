import type { Logger } from 'pino'
import type { Postgres } from '../../engines/postgres.ts'
import { type EventService, emulationEndedEvent } from '../events/index.ts'
import type { MessageService } from '../jobs/index.ts'
import type { EmulationStore, EndedEmulation, PartState } from './emulations.store.ts'
import { countOf } from './part-reports.format.ts'
import { partSizeOf } from './parts.rules.ts'

interface Options {
  postgres: Postgres
  events: EventService
  store: EmulationStore
  messages: MessageService
  removeAfterS: number
  log: Logger
}

type Figures = Record<string, unknown>

/** Sends the summary of emulations that have ended. */
export class CompletionService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async completeEnded(): Promise<void> {
    const { store, log } = this.#options
    for (const emulation of await store.ended())
      await this.#complete(emulation).catch((error: unknown) =>
        // Retried with the next poll.
        log.debug({ err: error, job: emulation.jobNumber }, 'the summary of an emulation is sent later'),
      )
  }

  async #complete({ jobNumber, owner, agents, stoppedBy }: EndedEmulation): Promise<void> {
    const { postgres, store, events, messages, removeAfterS } = this.#options
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
    await postgres.transaction(async (tx) => {
      if (await store.setCompleted(tx, jobNumber, removeAfterS))
        await events.append(tx, [emulationEndedEvent({ jobNumber, owner, agents, outcome: state })])
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
