import type { SilenceCreate, SilenceState, SilenceUpdate } from '@manc/contract'
import type { Executor, Postgres } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import {
  notCovered,
  silenceOf,
  unknownRules,
  unknownTimeZone,
  wrongEnd,
  wrongMembers,
} from './silence-members.rules.ts'
import type { SilenceStore } from './silences.store.ts'
import type { NewSilence, SilenceRow, SilenceView } from './silences.types.ts'

type SilenceLimit =
  | 'MANC_SILENCES'
  | 'MANC_SILENCES_PER_OWNER'
  | 'MANC_SILENCE_PATTERNS'
  | 'MANC_SILENCE_PATTERNS_PER_OWNER'

interface Deps {
  postgres: Postgres
  store: SilenceStore
  /** Of silences that have not ended. */
  max: number
  maxPerOwner: number
  /** Of their id patterns. */
  maxPatterns: number
  maxPatternsPerOwner: number
  onLimit: (limit: SilenceLimit) => void
  retentionDays: number
}

/** Of each owner. More could be created and ended than the retention would delete. */
const keptEnded = 1000
const sweepSize = 5000

/** Silences and maintenance windows. */
export class SilenceService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(
    view: SilenceView,
    states: readonly SilenceState[],
    after: string | undefined,
    limit: number,
  ): Promise<SilenceRow[]> {
    return this.#deps.store.page(view, states, after, limit)
  }

  async create(view: SilenceView, given: SilenceCreate, by: Actor): Promise<SilenceRow> {
    const { postgres, store } = this.#deps
    const silence = silenceOf(given, { id: newId(), owner: view.owner, createdBy: by.name })
    refuseOthers(view, silence.apIds)
    await this.#check(silence)
    return postgres.transaction(async (tx) => {
      await this.#refuseTooMany(tx, view.owner, silence.apIds.length)
      await store.deleteEndedOf(tx, view.owner, keptEnded)
      await store.insert(tx, silence)
      await recordAudit(tx, by, { action: 'silence.create', target: silence.id, detail: detailOf(silence) })
      return this.#find(tx, view, silence.id)
    })
  }

  async update(view: SilenceView, id: string, given: SilenceUpdate, by: Actor): Promise<SilenceRow> {
    const { postgres, store } = this.#deps
    return postgres.transaction(async (tx) => {
      const old = await this.#findOwn(tx, view, id)
      refuseOthers(view, old.apIds)
      const { comment, ends_at: endsAt } = given
      const startMs = Math.max(old.startsAt.getTime(), Date.now())
      const problems =
        endsAt === undefined ? [] : wrongEnd(endsAt, { startMs, isRecurring: old.days !== null })
      if (problems.length > 0) throw invalid(problems)
      if (!(await store.update(tx, id, { comment, endsAt }))) throw hasEnded()
      const updated = await this.#find(tx, view, id)
      const detail = { comment: updated.comment, ends_at: updated.endsAt?.toISOString() ?? null }
      await recordAudit(tx, by, { action: 'silence.update', target: old.id, detail })
      return updated
    })
  }

  async end(view: SilenceView, id: string, by: Actor): Promise<void> {
    const { postgres, store } = this.#deps
    await postgres.transaction(async (tx) => {
      const { comment } = await this.#findOwn(tx, view, id)
      if (!(await store.end(tx, id))) throw hasEnded()
      await recordAudit(tx, by, { action: 'silence.end', target: id, detail: { comment } })
    })
  }

  sweep(): Promise<void> {
    return this.#deps.store.deleteEnded(this.#deps.retentionDays, sweepSize)
  }

  async #check(silence: NewSilence): Promise<void> {
    const { store } = this.#deps
    const problems = wrongMembers(silence, Date.now())
    if (problems.length > 0) throw invalid(problems)
    const unknown = silence.ruleIds.length > 0 ? await store.unknownRules(silence.ruleIds) : []
    if (unknown.length > 0) throw invalid([unknownRules(unknown)])
    if (silence.recurrence && !(await store.hasTimeZone(silence.recurrence.timeZone)))
      throw invalid([unknownTimeZone()])
  }

  async #refuseTooMany(tx: Executor, owner: string, patterns: number): Promise<void> {
    const { store, max, maxPerOwner, maxPatterns, maxPatternsPerOwner, onLimit } = this.#deps
    const count = await store.count(tx, owner)
    const refusal = (limit: SilenceLimit, text: string, next = 'End one first, or wait until one ends.') => {
      onLimit(limit)
      return new Refused('conflict', `${text} that have not ended. ${next}`)
    }
    if (count.all >= max) throw refusal('MANC_SILENCES', `There are ${max} silences`)
    if (count.own >= maxPerOwner)
      throw refusal('MANC_SILENCES_PER_OWNER', `You have created ${maxPerOwner} silences`)
    const next = 'End some first, or name fewer patterns: one with * covers many agents.'
    const after = (used: number) => `${used} id patterns of silences`
    if (patterns > 0 && count.patterns + patterns > maxPatterns)
      throw refusal('MANC_SILENCE_PATTERNS', `There are ${after(count.patterns)}, of ${maxPatterns},`, next)
    if (patterns > 0 && count.ownPatterns + patterns > maxPatternsPerOwner)
      throw refusal(
        'MANC_SILENCE_PATTERNS_PER_OWNER',
        `You have created ${after(count.ownPatterns)}, of ${maxPatternsPerOwner},`,
        next,
      )
  }

  async #find(db: Executor, view: SilenceView, id: string): Promise<SilenceRow> {
    const silence = isUuid(id) ? await this.#deps.store.find(db, view, id) : undefined
    if (!silence) throw notFound('Silence')
    return silence
  }

  /** That the caller may change: an app only what it has created. */
  async #findOwn(db: Executor, view: SilenceView, id: string): Promise<SilenceRow> {
    const silence = await this.#find(db, view, id)
    if (view.patterns && silence.owner !== view.owner)
      throw new Refused('forbidden', 'An app can change only silences that it has created.')
    return silence
  }
}

/** An app silences only agents that its permissions cover. */
function refuseOthers({ patterns }: SilenceView, apIds: readonly string[]): void {
  const others = patterns ? notCovered(apIds, patterns) : []
  if (others.length > 0)
    throw new Refused(
      'forbidden',
      `The permissions of the app do not cover all agents of ${others.slice(0, 5).join(', ')}. Name agents in ap_ids that they cover.`,
    )
}

const hasEnded = () => new Refused('conflict', 'The silence has ended. Create another one.')

const detailOf = ({ comment, ruleIds, technologies, apIds, startsAt, endsAt, recurrence }: NewSilence) => ({
  comment,
  rule_ids: ruleIds,
  technologies,
  ap_ids: apIds,
  ...(startsAt && { starts_at: startsAt.toISOString() }),
  ends_at: endsAt?.toISOString() ?? null,
  ...(recurrence && {
    days: recurrence.days,
    at: recurrence.startTime,
    duration_min: recurrence.durationMin,
    time_zone: recurrence.timeZone,
  }),
})
