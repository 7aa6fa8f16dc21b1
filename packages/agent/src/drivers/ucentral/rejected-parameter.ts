import { isObject } from '../json.ts'
import { textOf } from './messages.ts'

const isSecret = (text: string) => /key|pass|secret|private/i.test(text)
const leftOut = '(left out: it may contain a secret)'

/**
 * A parameter that an access point has rejected, for the result of the command, which is kept and shown. It may be any part of a
 * configuration: values of members with the names of secrets are left out.
 */
export function rejectedParameter(parameter: unknown): string {
  if (typeof parameter !== 'string') return masked(parameter)
  const document = documentIn(parameter)
  if (document !== undefined) return masked(document)
  // The path of a member is no secret.
  return isSecret(parameter) && !/^[\w./[\]#$-]{1,200}$/.test(parameter) ? leftOut : textOf(parameter)
}

function masked(value: unknown): string {
  try {
    const text = JSON.stringify(value, (name, member: unknown) => (isSecret(name) ? '***' : member))
    return textOf(text)
  } catch (error) {
    // It is nested too deeply.
    if (error instanceof RangeError) return ''
    throw error
  }
}

/** Undefined if the text is no JSON object or list. */
function documentIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) || Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
