import { type Check, refuse, STRING_UNICODE } from './item.ts'

const BOOLEAN_TEXTS = new Map<string, boolean>([
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((text): [string, boolean] => [text, false]),
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((text): [string, boolean] => [text, true]),
])

export const booleanCheck: Check = (value, items) => {
  if (typeof value === 'boolean') return value
  if (value === 1) return true
  if (value === 0) return false
  if (typeof value === 'string') {
    const meaning = value.length <= 5 ? BOOLEAN_TEXTS.get(value.toLowerCase()) : undefined
    if (meaning !== undefined) return meaning
    if (!value.isWellFormed()) return refuse(items, STRING_UNICODE.type, STRING_UNICODE.msg)
  }
  if (typeof value === 'string' || Number.isInteger(value)) {
    return refuse(items, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input')
  }
  return refuse(items, 'bool_type', 'Input should be a valid boolean')
}
