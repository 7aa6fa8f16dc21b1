import { apIdPattern, measurementOf } from '@manc/contract'
import type { Caller } from '../../access.ts'
import { invalid, notFound } from '../../errors.ts'
import { labelOf } from './metric-catalogue.ts'
import type { ReadingsStore, Subject } from './readings.store.ts'
import type { SeriesText } from './readings.text.ts'
import { SharedReads } from './shared-reads.ts'

const isApId = new RegExp(apIdPattern)
const mostNames = 256
/** Agents whose clocks are a little ahead of ours. */
const aheadMs = 60_000

/** Since when there has been an agent; undefined where there is none. */
interface Agents {
  createdAt(apId: string): Promise<Date | undefined>
}

export interface Question {
  apId: string
  windowS: number
  caller: Caller
}

/** What agents have measured, as JSON that is ready to send. */
export class ReadingsService {
  readonly #store: ReadingsStore
  readonly #agents: Agents
  readonly #shared = new SharedReads({ mostAnswers: 2000, mostBytes: 32 * 1024 * 1024 })

  constructor(parts: { store: ReadingsStore; agents: Agents }) {
    this.#store = parts.store
    this.#agents = parts.agents
  }

  /** All metrics of an agent. */
  all(question: Question): Promise<string> {
    return this.#share(question, 'all', async (span) => {
      const series = await this.#store.series({ apId: question.apId }, span)
      const text = series.map(toJson).join(',')
      const key = JSON.stringify(measurementOf(question.apId))
      return { isEmpty: series.length === 0, text: `{"key":${key},${headOf(question)},"series":[${text}]}` }
    })
  }

  /** Chosen metrics of an agent, in the order in which they were asked for. */
  async chosen(question: Question, asked: readonly string[]): Promise<string> {
    const names = namesIn(asked)
    return this.#share(question, `series ${names.join(',')}`, async (span) => {
      const subject: Subject = { apId: question.apId, names }
      const series = names.length > 0 ? await this.#store.series(subject, span) : []
      const found = new Map(series.map((each) => [each.metric, each]))
      const text = names.map((metric) => toJson(found.get(metric) ?? { metric, points: '[]' })).join(',')
      return { isEmpty: series.length === 0, text: `{${headOf(question)},"series":[${text}]}` }
    })
  }

  /** Which metrics an agent has, with labels for people. */
  names(question: Question): Promise<string> {
    return this.#share(question, 'names', async (span) => {
      const names = await this.#store.names(question.apId, span)
      const metrics = JSON.stringify(names.map((name) => ({ name, label: labelOf(name) })))
      return { isEmpty: names.length === 0, text: `{${headOf(question)},"metrics":${metrics}}` }
    })
  }

  /** From when on the caller may read of this agent; throws where there is neither the agent nor any history of it. */
  async mustBeReadable(apId: string, caller: Caller): Promise<number> {
    const sinceMs = await this.#visibleSince(apId, caller)
    await this.#mustBeKnown(apId)
    return sinceMs
  }

  async #share(
    { apId, windowS, caller }: Question,
    what: string,
    read: (span: { fromMs: number; toMs: number }) => Promise<{ isEmpty: boolean; text: string }>,
  ): Promise<string> {
    const sinceMs = await this.#visibleSince(apId, caller)
    const nowMs = Date.now()
    const windowFromMs = nowMs - windowS * 1000
    const fromMs = Math.max(windowFromMs, sinceMs)
    const seen = fromMs === windowFromMs ? 'all' : `since ${sinceMs}`
    return this.#shared.read(`${apId} ${windowS} ${seen} ${what}`, async () => {
      const { isEmpty, text } = await read({ fromMs, toMs: nowMs + aheadMs })
      if (isEmpty) await this.#mustBeKnown(apId)
      return text
    })
  }

  /** Ids are reused: an agent and the apps must not see what another agent of the same name has sent. */
  async #visibleSince(apId: string, caller: Caller): Promise<number> {
    if (!isApId.test(apId)) throw notFound('Agent')
    if (caller.kind === 'user') return 0
    const createdAt = await this.#agents.createdAt(apId)
    if (!createdAt && caller.kind === 'agent') throw notFound('Agent')
    return createdAt?.getTime() ?? 0
  }

  async #mustBeKnown(apId: string): Promise<void> {
    if (await this.#agents.createdAt(apId)) return
    if (!(await this.#store.hasHistory(apId))) throw notFound('Agent')
  }
}

/** Repeated or comma-separated; each name once. */
function namesIn(asked: readonly string[]): string[] {
  const parts = asked.flatMap((text) => text.split(',')).map((part) => part.trim())
  const names = [...new Set(parts)].filter((name) => name !== '')
  if (names.length <= mostNames) return names
  const msg = `List should have at most ${mostNames} items after validation, not ${names.length}`
  throw invalid([{ loc: ['query', 'metrics'], msg, type: 'too_long' }])
}

const headOf = ({ apId, windowS }: Question): string =>
  `"agent_id":${JSON.stringify(apId)},"window_minutes":${Math.ceil(windowS / 60)}`

const toJson = ({ metric, points }: SeriesText): string =>
  `{"metric":${JSON.stringify(metric)},"points":${points}}`
