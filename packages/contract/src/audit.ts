import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, pageFields } from './schema.ts'

/** What is recorded, of whatever was changed. */
export const auditActions = [
  'user.create',
  'user.update',
  'user.delete',
  'user.reset-password',
  'agent.create',
  'agent.update',
  'agent.delete',
  'agent.send-samples',
  'agent.command',
  'agents.command',
  'app.create',
  'app.update',
  'app.delete',
  'enrolment-token.create',
  'enrolment-token.delete',
  'emulator.spin-up',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditRecord = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    actor_kind: Type.String({
      description:
        'Such as `user`, `agent` or `third_party_app`; others, as `settings`, are named in the decisions.',
    }),
    actor: Type.String({ description: 'By name, or by address where there was none.' }),
    action: Type.String(),
    target: Type.String({ description: 'Who or what was changed.' }),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What changed: never a password or a key; a command as it was sent.',
    }),
    request_id: Nullable(Type.String({ description: 'As in the log and in the answer’s `x-request-id`.' })),
  },
  { title: 'AuditRecord' },
)
export type AuditRecord = Static<typeof AuditRecord>

export const auditOperations = {
  listAudit: operation({
    id: 'listAudit',
    method: 'GET',
    path: '/api/v1/audit',
    tag: 'Audit',
    summary: 'List what was changed and by whom, the newest first',
    description: 'A `Link` header leads to the next page.',
    auth: 'bearer',
    query: Type.Object({
      actor: Type.Optional(
        Type.String({ maxLength: 320, description: 'Exact name of the user, agent or application.' }),
      ),
      action: Type.Optional(oneOf(auditActions, 'Only this action.')),
      target: Type.Optional(
        Type.String({
          maxLength: 320,
          description: 'Part of the name of what was changed; case is ignored.',
        }),
      ),
      from: Type.Optional(MomentWith('Changes from this time on.')),
      to: Type.Optional(MomentWith('Changes up to this time.')),
      ...pageFields,
    }),
    response: Type.Array(AuditRecord),
    refusals: [401, 403, 429, 503],
    sdk: 'audit.list',
    cli: { columns: ['at', 'actor', 'action', 'target', 'detail'] },
  }),
}
