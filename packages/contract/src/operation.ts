import type { TObject, TSchema } from 'typebox'
import type { RefusalStatus } from './errors.ts'

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
  /** A key of `tags` in operations.ts. */
  readonly tag: string
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
  /** `resource.method` of the SDK. The method is generated; without this it is hand-written there. */
  readonly sdk?: `${string}.${string}`
  /** Of a list: generates the command `manc <resource> list` with these fields as columns. */
  readonly cli?: { readonly columns: readonly string[] }
}

export const operation = <const O extends Operation>(definition: O): O => definition
