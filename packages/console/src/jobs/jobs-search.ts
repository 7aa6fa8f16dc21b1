import type { JobKind, JobState } from '@manc/sdk'
import { kindLabels, stateLabels } from './job-texts.ts'

/** Columns by which outcomes are sorted; with a minus, the other way round. */
const outcomeSorts = ['ap', '-ap', 'outcome', '-outcome', 'reason', '-reason', 'time', '-time'] as const
export type OutcomeSort = (typeof outcomeSorts)[number]

/** What the page shows, stored in the address. */
export interface JobsSearch {
  kind?: JobKind[]
  state?: JobState[]
  /** Of the job that is open. */
  outcome?: JobState
  find?: string
  sort?: OutcomeSort
  /** The bulk command is filled in from this job. */
  repeat?: string
}

const maxNumberLength = 128
const maxFindLength = 200

/** Invalid parameters are ignored. */
export function parseJobsSearch(search: Record<string, unknown>): JobsSearch {
  const kind = among(Object.keys(kindLabels) as JobKind[], search['kind'])
  const state = among(Object.keys(stateLabels) as JobState[], search['state'])
  const [outcome] = among(Object.keys(stateLabels) as JobState[], [search['outcome']])
  const [sort] = among(outcomeSorts, [search['sort']])
  const find = textOf(search['find'], maxFindLength)
  const repeat = textOf(search['repeat'], maxNumberLength)
  return {
    ...(kind.length > 0 && { kind }),
    ...(state.length > 0 && { state }),
    ...(outcome && { outcome }),
    ...(find !== undefined && { find }),
    ...(sort && { sort }),
    ...(repeat !== undefined && { repeat }),
  }
}

/** What stays when another job is opened. */
export const listSearch = ({ kind, state }: JobsSearch): JobsSearch => ({
  ...(kind && kind.length > 0 && { kind }),
  ...(state && state.length > 0 && { state }),
})

const among = <Name extends string>(names: readonly Name[], value: unknown): Name[] =>
  Array.isArray(value) ? names.filter((name) => value.includes(name)) : []

/** A number is a text that looks like one. */
function textOf(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  return text === '' || text.length > maxLength ? undefined : text
}
