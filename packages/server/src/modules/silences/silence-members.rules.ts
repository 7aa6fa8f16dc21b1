import { type SilenceCreate, type ValidationItem, weekdays } from '@manc/contract'
import { matchesGlob } from '../../globs.ts'
import { isTimeZone } from '../../time-zones.ts'
import type { NewSilence } from './silences.types.ts'

/** A year with a leap day. */
const maxMs = 366 * 86_400_000

/** Values twice in a list, and patterns beside `*`, which matches all, are left out. */
export function silenceOf(
  given: SilenceCreate,
  { id, owner, createdBy }: Pick<NewSilence, 'id' | 'owner' | 'createdBy'>,
): NewSilence {
  const { recurrence } = given
  const apIds = [...new Set(given.ap_ids)]
  return {
    id,
    comment: given.comment,
    ruleIds: [...new Set(given.rule_ids)],
    technologies: [...new Set(given.technologies)],
    apIds: apIds.includes('*') ? [] : apIds,
    startsAt: given.starts_at ?? undefined,
    endsAt: given.ends_at ?? null,
    recurrence: recurrence
      ? {
          days: [...new Set(recurrence.days)]
            .map((day) => weekdays.indexOf(day) + 1)
            .toSorted((a, b) => a - b),
          startTime: recurrence.at,
          durationMin: recurrence.duration_min,
          timeZone: recurrence.time_zone,
        }
      : null,
    owner,
    createdBy,
  }
}

const item = (member: string[], msg: string): ValidationItem => ({
  loc: ['body', ...member],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})

/** What a schema cannot say about a silence. */
export function wrongMembers(
  { startsAt, endsAt, recurrence }: Pick<NewSilence, 'startsAt' | 'endsAt' | 'recurrence'>,
  nowMs: number,
): ValidationItem[] {
  const startMs = Math.max(startsAt?.getTime() ?? nowMs, nowMs)
  const problems: ValidationItem[] = []
  if (startMs > nowMs + maxMs)
    problems.push(item(['starts_at'], 'starts_at should be at most a year from now'))
  problems.push(...wrongEnd(endsAt, { startMs, isRecurring: recurrence !== null }))
  if (recurrence && !isTimeZone(recurrence.timeZone)) problems.push(unknownTimeZone())
  return problems
}

export function wrongEnd(
  endsAt: Date | null,
  { startMs, isRecurring }: { startMs: number; isRecurring: boolean },
): ValidationItem[] {
  const end = (msg: string) => [item(['ends_at'], msg)]
  if (endsAt === null) return isRecurring ? [] : end('ends_at is required for a silence without recurrence')
  if (endsAt.getTime() <= startMs) return end('ends_at should be after starts_at and in the future')
  if (!isRecurring && endsAt.getTime() > startMs + maxMs)
    return end('ends_at should be at most a year after starts_at')
  return []
}

export const unknownTimeZone = () =>
  item(
    ['recurrence', 'time_zone'],
    'time_zone should be the name of an IANA time zone, such as Europe/Berlin',
  )

export const unknownRules = (ids: readonly string[]) =>
  item(['rule_ids'], `no rule has the id ${ids.join(', ')}: see the list of rules`)

/**
 * The patterns of a scope that match agents which no single pattern of the permissions covers. Compared as a text: a
 * pattern is covered if its own `*` falls into a `*` of the other one.
 */
export const notCovered = (apIds: readonly string[], permitted: readonly string[]): string[] =>
  (apIds.length === 0 ? ['*'] : apIds).filter(
    (pattern) => !permitted.some((other) => matchesGlob(other, pattern)),
  )
