import type { SilenceCreate, SilenceState, SilenceUpdate } from '@manc/contract'
import type { Executor, Postgres } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { newId } from '../../ids.ts'
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

interface Deps {
  postgres: Postgres
  store: SilenceStore
  /** Of silences that have not ended. */
  max: number
  maxPerOwner: number
  onLimit: (limit: 'MANC_SILENCES' | 'MANC_SILENCES_PER_OWNER') => void
  retentionDays: number
}

/** Of each owner. More could be created and ended than the retention would delete. */
const keptEnded = 1000
const sweepSize = 5000
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

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
      await this.#refuseTooMany(tx, view.owner)
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
      const endsAt = given.ends_at === undefined ? old.endsAt : given.ends_at
      const startMs = Math.max(old.startsAt.getTime(), Date.now())
      const problems =
        given.ends_at === undefined ? [] : wrongEnd(endsAt, { startMs, isRecurring: old.days !== null })
      if (problems.length > 0) throw invalid(problems)
      const comment = given.comment ?? old.comment
      if (!(await store.update(tx, id, { comment, endsAt }))) throw hasEnded()
      const detail = { comment, ends_at: endsAt?.toISOString() ?? null }
      await recordAudit(tx, by, { action: 'silence.update', target: old.id, detail })
      return this.#find(tx, view, id)
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

  async #refuseTooMany(tx: Executor, owner: string): Promise<void> {
    const { store, max, maxPerOwner, onLimit } = this.#deps
    const count = await store.count(tx, owner)
    const refusal = (limit: Parameters<typeof onLimit>[0], text: string) => {
      onLimit(limit)
      return new Refused('conflict', `${text} that have not ended. End one first, or wait until one ends.`)
    }
    if (count.all >= max) throw refusal('MANC_SILENCES', `There are ${max} silences`)
    if (count.own >= maxPerOwner)
      throw refusal('MANC_SILENCES_PER_OWNER', `You have created ${maxPerOwner} silences`)
  }

  async #find(db: Executor, view: SilenceView, id: string): Promise<SilenceRow> {
    const silence = isUuid.test(id) ? await this.#deps.store.find(db, view, id) : undefined
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
