import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, pageFields } from './schema.ts'

/** Recorded actions: resource and verb. */
export const auditActions = [
  'login',
  'login.failed',
  'logout',
  'user.create',
  'user.confirm',
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
  'app.read-key',
  'enrolment-token.create',
  'enrolment-token.delete',
  'alarm.acknowledge',
  'alarms.acknowledge',
  'alarm.assign',
  'alarm-rule.create',
  'alarm-rule.update',
  'alarm-rule.delete',
  'silence.create',
  'silence.update',
  'silence.end',
  'view.create',
  'view.update',
  'view.delete',
  'notification-receiver.create',
  'notification-receiver.update',
  'notification-receiver.delete',
  'notification-receiver.rotate-secret',
  'notification-receiver.test',
  'notification-route.create',
  'notification-route.update',
  'notification-route.delete',
  'notification-delivery.retry',
  'decision.confirm',
  'decision.reject',
  'experiment.create',
  'experiment.cancel',
  'experiment.delete',
  'emulator.spin-up',
  'emulator.stop',
  'job.cancel',
  'rollout.create',
  'rollout.pause',
  'rollout.resume',
  'rollout.undo',
  'keys.rotate',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditRecord = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    actor_kind: Type.String({
      description:
        'For example `user`, `agent`, `third_party_app` or `settings`; the decision records list all kinds.',
    }),
    actor: Type.String({ description: 'Name of the caller, or its address if it has no name.' }),
    action: Type.String(),
    target: Type.String({ description: 'Name of the changed resource.' }),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The change, without passwords and keys; a command as it was sent.',
    }),
    request_id: Nullable(
      Type.String({ description: 'As in the log and in the `x-request-id` header of the response.' }),
    ),
  },
  { title: 'AuditRecord' },
)
export type AuditRecord = Static<typeof AuditRecord>

const filterFields = {
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
}

export const auditOperations = {
  listAudit: operation({
    id: 'listAudit',
    method: 'GET',
    path: '/api/v1/audit',
    tag: 'Audit',
    summary: 'List audit entries, newest first',
    description: 'A `Link` header points to the next page.',
    auth: 'bearer',
    query: Type.Object({ ...filterFields, ...pageFields }),
    response: Type.Array(AuditRecord),
    refusals: [401, 403, 429, 503],
    sdk: 'audit.list',
    cli: { columns: ['at', 'actor', 'action', 'target', 'detail'] },
  }),
  exportAudit: operation({
    id: 'exportAudit',
    method: 'GET',
    path: '/api/v1/audit/export',
    tag: 'Audit',
    summary: 'Export audit entries as JSON lines, newest first',
    auth: 'bearer',
    query: Type.Object(filterFields),
    response: Type.String({ description: 'One AuditRecord as JSON per line.' }),
    isJsonLines: true,
    refusals: [401, 403, 429, 503],
  }),
}
