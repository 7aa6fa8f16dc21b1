import { csvField } from '@manc/contract/csv-field'
import type { Decision } from '@manc/sdk'
import { effectsOf } from './effects.ts'

const head = [
  'id',
  'created_at',
  'owner',
  'policy',
  'mode',
  'state',
  'reason',
  'client',
  'commands',
  'ap_id',
  'kpi',
  'expected_from',
  'expected_to',
  'measured_before',
  'measured_after',
]

/** One row for each expected effect. */
export function decisionsCsv(decisions: readonly Decision[]): string {
  const rows = decisions.flatMap((decision) =>
    effectsOf(decision).map(({ apId, kpi, expected, measured }) =>
      [
        decision.id,
        decision.created_at,
        decision.owner,
        decision.policy,
        decision.mode,
        decision.state,
        decision.reason,
        decision.client,
        commandsText(decision),
        apId,
        kpi,
        expected.from,
        expected.to,
        measured?.before ?? null,
        measured?.after ?? null,
      ]
        .map(csvField)
        .join(','),
    ),
  )
  return `${[head.join(','), ...rows].join('\r\n')}\r\n`
}

const commandsText = ({ commands }: Decision): string =>
  commands
    .map(
      ({ ap_id: apId, command, verdict, state }) => `${apId}: ${command} (${state ?? verdict ?? 'not sent'})`,
    )
    .join('; ')
