import { fitsOneOf } from '../../globs.ts'
import type { EventChoice, EventRow, EventView } from './events.types.ts'

/** Whether a follower gets an event. The store has the same conditions in SQL, for lists. */
export function followerFilter(view: EventView, choice: EventChoice): (event: EventRow) => boolean {
  const { patterns, emulated, owner, hiddenKinds } = view
  const fits = patterns && !patterns.includes('*') ? fitsOneOf(patterns) : () => true
  const isOfAgents = ({ apId, emulatedBy }: EventRow) =>
    patterns === undefined || (apId === null ? emulatedBy === owner : fits(apId))
  const isShownEmulated = ({ emulatedBy }: EventRow) =>
    emulatedBy === null || emulated === 'all' || (emulated === 'own' && emulatedBy === owner)
  const { apId, kinds, severities } = choice
  return (event) =>
    (apId === undefined || event.apId === apId) &&
    (kinds?.includes(event.kind) ?? true) &&
    (severities?.includes(event.severity) ?? true) &&
    !hiddenKinds.includes(event.kind) &&
    isShownEmulated(event) &&
    isOfAgents(event)
}
