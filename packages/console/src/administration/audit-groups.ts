import type { AuditRecord } from '@manc/sdk'
import { formatCount } from '../format/number.ts'
import { actionLabels, auditActor, auditSentence } from './audit-sentences.ts'

/**
 * Entries that one actor made by repeating one action, or several agents by the same action, without others in between.
 * Newest first, at least one.
 */
export type AuditGroup = readonly [AuditRecord, ...AuditRecord[]]

/** Repetitions after a longer break are another group: they are probably about something else. */
const maxBreakMs = 10 * 60_000

/** Groups neighbouring entries. The order is kept. */
export function groupRecords(records: readonly AuditRecord[]): AuditGroup[] {
  const groups: [AuditRecord, ...AuditRecord[]][] = []
  for (const record of records) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (group && before && isRepeated(before, record)) group.push(record)
    else groups.push([record])
  }
  return groups
}

function isRepeated(newer: AuditRecord, older: AuditRecord): boolean {
  return (
    newer.action === older.action &&
    newer.actor_kind === older.actor_kind &&
    // All agents send their configuration after an update of their software.
    (newer.actor === older.actor || newer.actor_kind === 'agent') &&
    Date.parse(newer.at) - Date.parse(older.at) <= maxBreakMs
  )
}

/** The common sentence of all entries, or the actors and the action if their sentences differ. */
export function groupSentence([newest, ...older]: AuditGroup): string {
  const sentence = auditSentence(newest)
  if (older.every((record) => auditSentence(record) === sentence)) return sentence
  const actors = new Set([newest, ...older].map(({ actor }) => actor)).size
  if (actors > 1 && newest.action === 'agent.update')
    return `${formatCount(actors, 'agent')} changed their configuration`
  const label = (actionLabels as Record<string, string>)[newest.action]
  const action = label === undefined ? newest.action : `${label.charAt(0).toLowerCase()}${label.slice(1)}`
  return `${actors > 1 ? formatCount(actors, 'agent') : auditActor(newest)} ${action}`
}
