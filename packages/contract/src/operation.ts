import type { TObject, TSchema } from 'typebox'
import type { RefusalStatus } from './errors.ts'

/** The chapters of the interface, in their order. */
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

/** One operation of the interface: all that a server, a client and the OpenAPI document need to know of it. */
export interface Operation {
  /** Name of the operation, unique: `operationId` in OpenAPI, key of the access table. */
  readonly id: string
  /** Its number in the interface; extensions of ours have none. */
  readonly number?: number
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As the interface writes it, trailing slash included. Servers answer both forms. */
  readonly path: `/api/v1/${string}`
  readonly summary: string
  readonly description?: string
  readonly tag: keyof typeof tags
  readonly auth: 'none' | 'bearer'
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** A form-encoded body instead of JSON. */
  readonly form?: TObject
  /** Takes an `Idempotency-Key`: the same of the same caller within 24 hours is the same request. */
  readonly idempotent?: true
  /** Where a body may be larger than others, and its text is passed on as it was sent. */
  readonly bodyLimitBytes?: number
  readonly response: TSchema
  readonly refusals: readonly RefusalStatus[]
}

export const operation = <const O extends Operation>(definition: O): O => definition
