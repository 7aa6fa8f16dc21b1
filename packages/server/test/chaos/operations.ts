import type { HistoryEvent, Kind, Outcome } from './history.ts'

/** An operation from its begin to its end. */
export interface Operation {
  id: string
  kind: Kind
  subject: string
  beganAt: number
  /** Infinity where no end was recorded. */
  endedAt: number
  outcome: Outcome
  detail: string | undefined
}

/** Joins begin and end. An operation without an end is of unknown outcome. */
export function operationsOf(events: readonly HistoryEvent[]): Operation[] {
  const operations = new Map<string, Operation>()
  for (const event of events) {
    if (event.type === 'invoke')
      operations.set(event.id, {
        id: event.id,
        kind: event.kind,
        subject: event.subject ?? '',
        beganAt: event.at,
        endedAt: Infinity,
        outcome: 'unknown',
        detail: undefined,
      })
    if (event.type !== 'ok' && event.type !== 'fail' && event.type !== 'unknown') continue
    const operation = operations.get(event.id)
    if (operation) Object.assign(operation, { endedAt: event.at, outcome: event.type, detail: event.detail })
  }
  return [...operations.values()]
}

export const acknowledgedOf = (operations: readonly Operation[], ...of: Kind[]): Operation[] =>
  operations.filter(({ kind, outcome }) => of.includes(kind) && outcome === 'ok')
