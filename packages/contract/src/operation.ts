import type { TObject, TSchema } from 'typebox'
import type { RefusalStatus } from './errors.ts'

/** One operation of the API, as the server, the SDK, the CLI and the OpenAPI document use it. */
export interface Operation {
  /** Unique name: `operationId` in OpenAPI, key of the access table. */
  readonly id: string
  /** Its number in the interface specification. Extensions have none. */
  readonly number?: number
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As in the specification, including a trailing slash. The server accepts both forms. */
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
  /** Takes an `Idempotency-Key`: a request of the same caller with the same key within 24 hours is processed once. */
  readonly idempotent?: true
  /** A larger limit than the default. The text of the body is passed on unchanged. */
  readonly bodyLimitBytes?: number
  readonly response: TSchema
  /** The response is text with one JSON value per line, not one JSON value. */
  readonly isJsonLines?: true
  /** The response is CSV. */
  readonly isCsv?: true
  /** Apps may send their name and key with HTTP basic authentication instead of a token. */
  readonly takesBasic?: true
  readonly refusals: readonly RefusalStatus[]
  /** `resource.method` of the SDK. The method is generated; without this it is hand-written there. */
  readonly sdk?: `${string}.${string}`
  /** Of a list: generates the command `manc <resource> list` with these fields as columns. */
  readonly cli?: { readonly columns: readonly string[] }
}

/** Media types of responses that are not JSON. */
const jsonLinesType = 'application/x-ndjson'
const csvType = 'text/csv'

export const mediaTypeOf = ({ isJsonLines, isCsv }: Operation): string =>
  isJsonLines ? jsonLinesType : isCsv ? csvType : 'application/json'

export const operation = <const O extends Operation>(definition: O): O => definition
