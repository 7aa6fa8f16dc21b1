import type { Static, TSchema } from 'typebox'
import { agentOperations } from './agents.ts'
import { appOperations } from './apps.ts'
import { auditOperations } from './audit.ts'
import { commandOperations } from './commands.ts'
import { emulatorOperations } from './emulator.ts'
import { enrolmentOperations } from './enrolment.ts'
import { fleetOperations } from './fleet.ts'
import { jobOperations } from './jobs.ts'
import { telemetryOperations } from './telemetry.ts'
import { tokenOperations } from './tokens.ts'
import { updateOperations } from './updates.ts'
import { userOperations } from './users.ts'

/** Every operation that the product has. */
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
}

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
