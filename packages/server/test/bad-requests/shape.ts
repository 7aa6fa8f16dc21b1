import type { OperationId, ValidationItem } from '@manc/contract'

/** A request that fails validation, and every item that the reply has to hold, in order. */
export interface BadRequest {
  /** What is refused: the end of a sentence that its group begins. */
  title: string
  operation: OperationId
  /** What stands in the path, by the name of its parameter. */
  path?: Record<string, string>
  query?: string
  json?: unknown
  /** Sent as it is, as JSON where `contentType` says nothing else. */
  text?: string
  form?: Record<string, string>
  contentType?: string
  expected: ValidationItem[]
}

/** A request without its operation, for bodies that several operations take. */
export type BadBody = Omit<BadRequest, 'operation' | 'path'>

export const at = (operation: OperationId, bodies: BadBody[], path?: Record<string, string>): BadRequest[] =>
  bodies.map((body) => ({ ...body, operation, ...(path && { path }) }))

/** Every secret in these tables begins like this, so that one search finds any of them. */
export const secret = (rest: string) => `s3cret-${rest}`

/** A password written as a number. */
export const secretNumber = 7_073_537_073

/** What a search for any of them looks for. */
export const secretMarks = ['s3cret', String(secretNumber), '🔑🔑🔑']
