import { type ConfigurationField, configurationFields } from '@manc/contract/configuration-fields'
import type { EmulatedChoice, RolloutSelection, Technology } from '@manc/sdk'
import { type Configuration, parseConfiguration } from '../access-point/configuration-diff.ts'
import { parseArea, parseIds } from '../jobs/recipients.ts'

/** What the form contains. */
export interface RolloutDraft {
  /** Ids from the table of access points. */
  selected: readonly string[] | undefined
  technology: Technology | undefined
  areaText: string
  idText: string
  emulated: EmulatedChoice
  changeText: string
}

export const emptyDraft: RolloutDraft = {
  selected: undefined,
  technology: undefined,
  areaText: '',
  idText: '',
  emulated: 'own',
  changeText: '{}',
}

/** The request, or what is missing. */
export function selectionOf(
  draft: RolloutDraft,
): { selection: RolloutSelection; problem?: undefined } | { selection?: undefined; problem: string } {
  const { technology, areaText, emulated } = draft
  const ids = draft.selected ?? parseIds(draft.idText)
  const hasArea = draft.selected === undefined && areaText.trim() !== ''
  const area = hasArea ? parseArea(areaText) : undefined
  if (hasArea && !area) return { problem: 'Correct the area.' }
  if (ids.length === 0 && !technology && !area) return { problem: 'Set a technology, an area or IDs.' }
  const { value: change } = parseConfiguration(draft.changeText)
  if (!change) return { problem: 'Correct the JSON.' }
  if (Object.keys(change).length === 0) return { problem: 'Set at least one value to change.' }
  return {
    selection: {
      ...(ids.length > 0 && { agents: [...ids] }),
      ...(technology && { technology: [technology] }),
      ...(area && { area }),
      emulated: ids.length > 0 ? 'all' : emulated,
      change,
    },
  }
}

/** Settings that can be the same at many access points. Others can be written as JSON. */
const ofOne = ['name', 'technology', 'geolocation.latitude', 'geolocation.longitude']
export const sharedFields = (technology: Technology | undefined): readonly ConfigurationField[] =>
  configurationFields[technology ?? 'other'].filter(({ path }) => !ofOne.includes(path))

export const changeTextOf = (change: Configuration): string => JSON.stringify(change, null, 2)
