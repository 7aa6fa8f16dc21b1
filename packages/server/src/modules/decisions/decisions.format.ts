import type { Decision, MeasuredEffect } from '@manc/contract'
import { decisionEvent, type NewEvent } from '../events/index.ts'
import { affectedAgents } from './decision-members.rules.ts'
import type { DecisionRow } from './decisions.types.ts'

export const toRecord = (row: DecisionRow): Decision => ({
  id: row.id,
  owner: row.ownerName,
  owner_kind: row.ownerKind,
  policy: row.policy,
  mode: row.mode,
  state: row.state,
  reason: row.reason,
  client: row.client,
  observed: row.observed,
  expected: row.expected,
  commands: row.commands.map((each) => ({
    ap_id: each.apId,
    command: each.command,
    verdict: each.verdict,
    detail: each.detail,
    job_number: each.jobNumber,
    state: each.state,
    result: each.result === null ? null : (JSON.parse(each.result) as unknown),
    ended_at: each.endedAt === null ? null : new Date(each.endedAt).toISOString(),
  })),
  job_number: row.jobNumber,
  measured: row.measured,
  reverts: row.reverts,
  reverted_by: row.revertedBy,
  created_at: row.createdAt.toISOString(),
  expires_at: timeOf(row.expiresAt),
  decided_by: row.decidedBy,
  decided_at: timeOf(row.decidedAt),
  executed_at: timeOf(row.executedAt),
  measure_at: timeOf(row.measureAt),
  measured_at: timeOf(row.measuredAt),
})

const maxAuditedLength = 2000

/** For an audit entry. */
export const commandsText = (commands: readonly { apId: string; command: string }[]): string =>
  commands
    .map(({ apId, command }) => `${apId}: ${command}`)
    .join('; ')
    .slice(0, maxAuditedLength)

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null

/** One for each access point that the decision affects. */
export const eventsOf = (
  decision: Pick<DecisionRow, 'id' | 'ownerName' | 'policy' | 'commands' | 'expected'>,
  state: DecisionRow['state'],
  measured: readonly MeasuredEffect[] = [],
): NewEvent[] =>
  affectedAgents(decision).map((apId) =>
    decisionEvent(apId, {
      id: decision.id,
      owner: decision.ownerName,
      policy: decision.policy,
      state,
      measured: measured.filter((each) => each.ap_id === apId),
    }),
  )
