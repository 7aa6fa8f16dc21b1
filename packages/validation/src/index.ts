/**
 * Validation of requests, with the messages of pydantic that callers of the interface rely on. Compile at start, run per
 * request; an invalid request returns the `detail` of the 422 response.
 */

export { compileValidator } from './compiler.ts'
export { parseEmailAddress } from './email-address.ts'
export type { Parsed, ValidationItem } from './item.ts'
export { parseJson } from './json-text.ts'
export { parsedBy } from './parser.ts'
export { type RequestSchemas, requestValidator } from './request.ts'
