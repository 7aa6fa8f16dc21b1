/**
 * Requests are validated here and nowhere else, with the wording of pydantic that the clients of the interface
 * know. Compile at start, run per request; a failing request gives the `detail` of its 422 answer.
 */
export { compileValidator, type Source, type Validator } from './validation-compiler.ts'
export type { Parsed, Parser, Refusal, ValidationItem } from './validation-item.ts'
export { parsedBy } from './validation-parser.ts'
export {
  type RawRequest,
  type RequestSchemas,
  type RequestValidator,
  requestValidator,
  type ValidRequest,
} from './validation-request.ts'
