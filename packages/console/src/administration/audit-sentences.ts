import type { AuditAction, AuditRecord } from '@manc/sdk'
import { formatCount } from '../format/number.ts'

/** Choices of the action filter. */
export const actionLabels: Record<AuditAction, string> = {
  login: 'Logged in',
  'login.failed': 'Failed to log in',
  logout: 'Signed out',
  'user.create': 'Created a user',
  'user.confirm': 'Confirmed a sign-up by e-mail',
  'user.update': 'Changed a user',
  'user.delete': 'Removed a user',
  'user.reset-password': 'Reset a password by e-mail',
  'agent.create': 'Registered an access point',
  'agent.update': 'Changed an access point',
  'agent.delete': 'Removed an access point',
  'agent.send-samples': 'Sent samples for an access point',
  'agent.command': 'Sent a command',
  'agents.command': 'Sent a bulk command',
  'app.create': 'Registered an application',
  'app.update': 'Changed an application',
  'app.delete': 'Removed an application',
  'app.read-key': 'Read an API key',
  'enrolment-token.create': 'Created an enrolment token',
  'enrolment-token.delete': 'Revoked an enrolment token',
  'alarm.acknowledge': 'Acknowledged an alarm',
  'alarms.acknowledge': 'Acknowledged several alarms',
  'alarm.assign': 'Assigned an alarm',
  'alarm-rule.create': 'Created a rule of alarms',
  'alarm-rule.update': 'Changed a rule of alarms',
  'alarm-rule.delete': 'Deleted a rule of alarms',
  'silence.create': 'Silenced alarms',
  'silence.update': 'Changed a silence',
  'silence.end': 'Ended a silence',
  'view.create': 'Saved a view',
  'view.update': 'Changed a view',
  'view.delete': 'Deleted a view',
  'notification-receiver.create': 'Created a receiver of notifications',
  'notification-receiver.update': 'Changed a receiver of notifications',
  'notification-receiver.delete': 'Deleted a receiver of notifications',
  'notification-receiver.rotate-secret': 'Replaced the secret of a webhook',
  'notification-receiver.test': 'Sent a test message',
  'notification-route.create': 'Created a route of notifications',
  'notification-route.update': 'Changed a route of notifications',
  'notification-route.delete': 'Deleted a route of notifications',
  'notification-delivery.retry': 'Sent a message again',
  'decision.confirm': 'Confirmed a proposal',
  'decision.reject': 'Rejected a proposal',
  'experiment.create': 'Started an experiment',
  'experiment.cancel': 'Cancelled an experiment',
  'experiment.delete': 'Deleted an experiment',
  'emulator.spin-up': 'Started an emulation',
  'emulator.stop': 'Stopped an emulation',
  'job.cancel': 'Cancelled a job',
  'rollout.create': 'Started a rollout',
  'rollout.pause': 'Paused a rollout',
  'rollout.resume': 'Resumed a rollout',
  'rollout.undo': 'Undid a rollout',
  'keys.rotate': 'Re-encrypted secrets',
}

type Detail = Record<string, unknown>

/** The part of the sentence after the actor. */
const predicates: Record<AuditAction, (target: string, detail: Detail) => string> = {
  login: (_, { address }) => `logged in${typeof address === 'string' ? ` from ${address}` : ''}`,
  'login.failed': (target) =>
    target === '*' ? 'failed to log in to many accounts' : `failed to log in as ${target}`,
  logout: () => 'signed out',
  'user.create': (target, { roles, confirmation }) =>
    confirmation === 'pending'
      ? `signed up as ${target}, not confirmed yet`
      : `created the user ${target}${rolesIn(roles)}`,
  'user.confirm': (target) => `confirmed the sign-up of ${target} by e-mail`,
  'user.update': (target, { roles, password }) =>
    [
      roles !== undefined && `changed the roles of ${target}${fromTo(roles)}`,
      password !== undefined && `set a new password for ${target}`,
    ]
      .filter((part) => part !== false)
      .join(' and ') || `changed the user ${target}`,
  'user.delete': (target) => `removed the user ${target}`,
  'user.reset-password': (target) => `set a new password for ${target} by e-mail`,
  'agent.create': (target) => `registered the access point ${target}`,
  'agent.update': (target, { changed }) => `changed the ${listed(changed) || 'settings'} of ${target}`,
  'agent.delete': (target) => `removed the access point ${target}`,
  'agent.send-samples': (target) => `sent samples on behalf of ${target}`,
  'agent.command': (target, { command }) => `sent “${String(command)}” to ${target}`,
  'agents.command': (_, { command, agents }) =>
    `sent “${String(command)}” to ${countText(agents, 'access point')}`,
  'app.create': (target) => `registered the application ${target}`,
  'app.update': (target, { api_key: key, ...rights }) =>
    [
      Object.keys(rights).length > 0 && `changed the permissions of the application ${target}`,
      key === 'changed' && `replaced the key of the application ${target}`,
    ]
      .filter((part) => part !== false)
      .join(' and ') || `changed the application ${target}`,
  'app.delete': (target) => `removed the application ${target}`,
  'app.read-key': (target) => `read the key of the application ${target}`,
  'enrolment-token.create': (_, { ap_id_pattern: pattern, max_uses: uses }) =>
    `created an enrolment token for ${String(pattern)} (${countText(uses, 'use')})`,
  'enrolment-token.delete': () => 'revoked an enrolment token',
  'alarm.acknowledge': (target, { ap_id: apId }) => `acknowledged the alarm ${target} of ${String(apId)}`,
  'alarms.acknowledge': (_, { ids }) => `acknowledged ${Array.isArray(ids) ? ids.length : 'several'} alarms`,
  'alarm.assign': (target, { ap_id: apId, assignee }) =>
    typeof assignee === 'string'
      ? `assigned the alarm ${target} of ${String(apId)} to ${assignee}`
      : `removed the assignment of the alarm ${target} of ${String(apId)}`,
  'alarm-rule.create': (_, { name }) => `created the rule of alarms "${String(name)}"`,
  'alarm-rule.update': (_, { name }) => `changed the rule of alarms "${String(name)}"`,
  'alarm-rule.delete': (target) => `deleted the rule of alarms ${target}`,
  'silence.create': (_, { comment }) => `silenced alarms: ${String(comment)}`,
  'silence.update': (_, { comment }) => `changed a silence: ${String(comment)}`,
  'silence.end': (_, { comment }) => `ended a silence: ${String(comment)}`,
  'decision.confirm': (_, { owner, policy }) => `confirmed a proposal of ${String(owner)}: ${String(policy)}`,
  'decision.reject': (_, { owner, policy }) => `rejected a proposal of ${String(owner)}: ${String(policy)}`,
  'experiment.create': (_, { name, runs }) =>
    `started the experiment “${String(name)}” with ${countText(runs, 'run')}`,
  'experiment.cancel': (_, { name }) => `cancelled the experiment “${String(name)}”`,
  'experiment.delete': (_, { name }) => `deleted the experiment “${String(name)}”`,
  'view.create': (_, { name }) => `saved the view "${String(name)}"`,
  'view.update': (_, { name }) => `changed the view "${String(name)}"`,
  'view.delete': (_, { name }) => `deleted the view "${String(name)}"`,
  'notification-receiver.create': (_, { name }) => `created the receiver "${String(name)}"`,
  'notification-receiver.update': (_, { name }) => `changed the receiver "${String(name)}"`,
  'notification-receiver.delete': (_, { name }) => `deleted the receiver "${String(name)}"`,
  'notification-receiver.rotate-secret': (_, { name }) =>
    `replaced the secret of the receiver "${String(name)}"`,
  'notification-receiver.test': (_, { name }) => `sent a test message to the receiver "${String(name)}"`,
  'notification-route.create': (_, { name }) => `created the route of notifications "${String(name)}"`,
  'notification-route.update': (_, { name }) => `changed the route of notifications "${String(name)}"`,
  'notification-route.delete': (_, { name }) => `deleted the route of notifications "${String(name)}"`,
  'notification-delivery.retry': (_, { receiver }) => `sent a message to "${String(receiver)}" again`,
  'emulator.spin-up': (_, { agents }) => `started an emulation of ${countText(agents, 'access point')}`,
  'emulator.stop': (_, { agents }) => `stopped an emulation of ${countText(agents, 'access point')}`,
  'job.cancel': (target, { title }) =>
    `cancelled the job ${typeof title === 'string' ? `“${title}”` : target}`,
  'rollout.create': (_, { title, agents }) =>
    `started the rollout “${String(title)}” to ${countText(agents, 'access point')}`,
  'rollout.pause': (_, { title }) => `paused the rollout “${String(title)}”`,
  'rollout.resume': (_, { title }) => `resumed the rollout “${String(title)}”`,
  'rollout.undo': (_, { title }) => `undid the rollout “${String(title)}”`,
  'keys.rotate': (target, { rows, of }) =>
    `re-encrypted ${countText(rows, typeof of === 'string' ? of : 'API key')} with the data key ${target}`,
}

/** `admin@manc.test changed the roles of eve@manc.test from user to operator` */
export function auditSentence({ actor_kind: kind, actor, action, target, detail }: AuditRecord): string {
  const predicate = predicates[action as AuditAction] as (typeof predicates)[AuditAction] | undefined
  // Entries beyond the limit of an actor are counted, without their targets.
  if (target === '*' && action !== 'login.failed')
    return `${actorText(kind, actor)}: ${actionLabels[action as AuditAction]} (${timesText(detail)})`
  // An agent that onboards sends its own configuration.
  if (action === 'agent.update' && kind === 'agent' && actor === target)
    return `${actorText(kind, actor)} changed its ${listed(detail['changed']) || 'settings'}`
  const times = Number(detail['count'] ?? 1) > 1 ? ` (${timesText(detail)})` : ''
  return `${actorText(kind, actor)} ${predicate ? predicate(target, detail) : `performed ${action} on ${target}`}${times}`
}

/** `Application steering` */
export const auditActor = ({ actor_kind: kind, actor }: AuditRecord): string => actorText(kind, actor)

const timesText = ({ count }: Detail): string => countText(count, 'time')

function actorText(kind: string, actor: string): string {
  switch (kind) {
    case 'third_party_app':
      return `Application ${actor}`
    case 'agent':
      return `Agent ${actor}`
    case 'broker':
      return 'Agent at the broker'
    case 'anonymous':
      return actor === '*' ? 'Anonymous callers' : `Anonymous caller at ${actor}`
    case 'enrolment':
      return `Agent at ${actor} with an enrolment token`
    case 'setup':
      return `Caller at ${actor} with the setup token`
    case 'settings':
      return 'Controller settings'
    case 'command-line':
      return 'Controller command line'
    default:
      return actor
  }
}

const listed = (value: unknown): string => (Array.isArray(value) ? value.join(' and ') : '')

const rolesIn = (roles: unknown): string => (Array.isArray(roles) ? ` as ${roles.join(', ')}` : '')

function fromTo(roles: unknown): string {
  const { from, to } = (roles ?? {}) as { from?: unknown; to?: unknown }
  return Array.isArray(from) && Array.isArray(to) ? ` from ${from.join(', ')} to ${to.join(', ')}` : ''
}

const countText = (count: unknown, noun: string): string =>
  typeof count === 'number' ? formatCount(count, noun) : `${String(count)} ${noun}s`
