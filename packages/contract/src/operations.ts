import type { Static, TSchema } from 'typebox'
import { agentOperations } from './agents.ts'
import { appOperations } from './apps.ts'
import { auditOperations } from './audit.ts'
import { commandOperations } from './commands.ts'
import { emulatorOperations } from './emulator.ts'
import { enrolmentOperations } from './enrolment.ts'
import { fleetOperations } from './fleet.ts'
import { jobOperations } from './jobs.ts'
import type { Operation } from './operation.ts'
import { telemetryOperations } from './telemetry.ts'
import { tokenOperations } from './tokens.ts'
import { updateOperations } from './updates.ts'
import { userOperations } from './users.ts'

export * from './agents.ts'
export * from './apps.ts'
export * from './audit.ts'
export * from './commands.ts'
export * from './emulator.ts'
export * from './enrolment.ts'
export * from './fleet.ts'
export * from './jobs.ts'
export * from './telemetry.ts'
export * from './tokens.ts'
export * from './updates.ts'
export * from './users.ts'

/** The sections of the OpenAPI document, in their order. */
export const tags = {
  Token: 'Logging in, for the three kinds of caller',
  Users: 'The people who manage and watch the network',
  Agents: 'The access points and their configuration',
  Enrolment: 'Tokens with which agents register themselves',
  'Agent operations': 'What agents send, and what is asked of them',
  'Third-party applications': 'Applications that consume the platform',
  Emulator: 'Whole networks of emulated access points',
  Callbacks: 'Results on their way to the clients that wait for them',
  Jobs: 'What was asked for, and what has become of it',
  Metrics: 'What agents measure',
  Fleet: 'Where the agents are, which of them are there, and what they do together',
  Audit: 'Who changed what',
} as const

/** All operations of the API, in the order of the OpenAPI document. */
export const operations = {
  ...tokenOperations,
  ...userOperations,
  ...agentOperations,
  ...enrolmentOperations,
  ...appOperations,
  ...updateOperations,
  ...jobOperations,
  ...commandOperations,
  ...emulatorOperations,
  ...telemetryOperations,
  ...fleetOperations,
  ...auditOperations,
} satisfies Record<string, Operation & { tag: keyof typeof tags }>

export type OperationId = keyof typeof operations

type Part<Id extends OperationId, Name extends string> = (typeof operations)[Id] extends {
  [Each in Name]: infer Schema extends TSchema
}
  ? Static<Schema>
  : never

/** What an operation takes and gives, as types. */
export type ParamsOf<Id extends OperationId> = Part<Id, 'params'>
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>
export type BodyOf<Id extends OperationId> = Part<Id, 'body'>
export type ReplyOf<Id extends OperationId> = Part<Id, 'response'>
