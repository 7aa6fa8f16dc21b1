/**
 * Requests are validated here and nowhere else, with the wording of pydantic that the clients of the interface
 * know. Compile at start, run per request; a failing request gives the `detail` of its 422 answer.
 */

export { compileValidator } from './compiler.ts'
export { parseEmailAddress } from './email-address.ts'
export type { Parsed, ValidationItem } from './item.ts'
export { parseJson } from './json-text.ts'
export { parsedBy } from './parser.ts'
export { type RequestSchemas, requestValidator } from './request.ts'
