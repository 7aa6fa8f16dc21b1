import type { Static, TSchema } from 'typebox'
import { agentOperations } from './agents.ts'
import { alarmRuleOperations } from './alarm-rules.ts'
import { alarmOperations } from './alarms.ts'
import { appOperations } from './apps.ts'
import { auditOperations } from './audit.ts'
import { clientOperations } from './clients.ts'
import { commandOperations } from './commands.ts'
import { configurationOperations } from './configurations.ts'
import { decisionOperations } from './decisions.ts'
import { emulatorOperations } from './emulator.ts'
import { enrolmentOperations } from './enrolment.ts'
import { eventOperations } from './events.ts'
import { experimentRunOperations } from './experiment-runs.ts'
import { experimentOperations } from './experiments.ts'
import { fleetOperations } from './fleet.ts'
import { fleetCellOperations } from './fleet-cells.ts'
import { fleetTableOperations } from './fleet-table.ts'
import { fleetTrendOperations } from './fleet-trends.ts'
import { jobOperations } from './jobs.ts'
import { mapOperations } from './map.ts'
import { notificationDeliveryOperations } from './notification-deliveries.ts'
import { notificationReceiverOperations } from './notification-receivers.ts'
import { notificationRouteOperations } from './notification-routes.ts'
import type { Operation } from './operation.ts'
import { prometheusOperations } from './prometheus.ts'
import { rolloutOperations } from './rollouts.ts'
import { silenceOperations } from './silences.ts'
import { systemOperations } from './system.ts'
import { telemetryOperations } from './telemetry.ts'
import { tokenOperations } from './tokens.ts'
import { updateOperations } from './updates.ts'
import { userOperations } from './users.ts'
import { viewOperations } from './views.ts'
import { whatIfOperations } from './what-if.ts'

export * from './agents.ts'
export * from './alarm-rules.ts'
export * from './alarms.ts'
export * from './apps.ts'
export * from './audit.ts'
export * from './clients.ts'
export * from './commands.ts'
export * from './configurations.ts'
export * from './decisions.ts'
export * from './emulator.ts'
export * from './enrolment.ts'
export * from './events.ts'
export * from './experiment-runs.ts'
export * from './experiments.ts'
export * from './fleet.ts'
export * from './fleet-cells.ts'
export * from './fleet-table.ts'
export * from './fleet-trends.ts'
export * from './jobs.ts'
export * from './map.ts'
export * from './notification-deliveries.ts'
export * from './notification-receivers.ts'
export * from './notification-routes.ts'
export * from './prometheus.ts'
export * from './rollouts.ts'
export * from './silences.ts'
export * from './steering-policies.ts'
export * from './system.ts'
export * from './telemetry.ts'
export * from './tokens.ts'
export * from './updates.ts'
export * from './users.ts'
export * from './views.ts'
export * from './what-if.ts'

/** The sections of the OpenAPI document, in their order. */
export const tags = {
  Token: 'Logging in, for the three kinds of caller',
  Users: 'People who manage and watch the network',
  Agents: 'Access points and their configuration',
  Rollouts: 'Changes of the configuration of many access points, in stages',
  Enrolment: 'Tokens with which agents register themselves',
  'Agent operations': 'Telemetry from agents, commands and data requests',
  'Third-party applications': 'Applications that consume the platform',
  Emulator: 'Networks of emulated access points',
  Callbacks: 'Results for the callers that wait for them',
  Jobs: 'Asynchronous requests and their state',
  Metrics: 'Current metrics of agents',
  Prometheus: 'Queries of the metrics store by clients of Prometheus',
  Fleet: 'Positions, states and aggregated metrics of all agents',
  Views: 'Saved views of the table of agents',
  Clients: 'End-user devices and the access points that they are attached to',
  Events: 'What happened in the network',
  Alarms: 'Conditions of access points that need attention, the rules that detect them, and silences',
  Decisions: 'What applications decide and why, the expected and the measured effect',
  Experiments: 'Comparisons of policies in simulated worlds',
  Notifications: 'Messages about alarms, by e-mail and webhook',
  Audit: 'Record of changes',
  System: 'The controller itself',
} as const

/** All operations of the API, in the order of the OpenAPI document. */
export const operations = {
  ...tokenOperations,
  ...userOperations,
  ...agentOperations,
  ...configurationOperations,
  ...rolloutOperations,
  ...enrolmentOperations,
  ...appOperations,
  ...updateOperations,
  ...jobOperations,
  ...commandOperations,
  ...emulatorOperations,
  ...telemetryOperations,
  ...prometheusOperations,
  ...fleetOperations,
  ...fleetCellOperations,
  ...fleetTableOperations,
  ...fleetTrendOperations,
  ...mapOperations,
  ...viewOperations,
  ...clientOperations,
  ...eventOperations,
  ...alarmOperations,
  ...alarmRuleOperations,
  ...silenceOperations,
  ...decisionOperations,
  ...experimentOperations,
  ...experimentRunOperations,
  ...whatIfOperations,
  ...notificationReceiverOperations,
  ...notificationRouteOperations,
  ...notificationDeliveryOperations,
  ...auditOperations,
  ...systemOperations,
} satisfies Record<string, Operation & { tag: keyof typeof tags }>

export type OperationId = keyof typeof operations

type Part<Id extends OperationId, Name extends string> = (typeof operations)[Id] extends {
  [Each in Name]: infer Schema extends TSchema
}
  ? Static<Schema>
  : never

/** Types of the parts of an operation. */
export type ParamsOf<Id extends OperationId> = Part<Id, 'params'>
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>
export type BodyOf<Id extends OperationId> = Part<Id, 'body'>
export type ReplyOf<Id extends OperationId> = Part<Id, 'response'>
