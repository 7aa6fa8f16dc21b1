import { type Check, refuse, STRING_UNICODE, type ValidationItem } from './item.ts'
import { trimSpaces } from './text.ts'

interface Bounds {
  minimum?: number | undefined
  maximum?: number | undefined
  exclusiveMinimum?: number | undefined
  exclusiveMaximum?: number | undefined
}

/** CPython's limit on the digits of an integer. */
const MAX_DIGITS = 4300
const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/
const NUMBER_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const NOT_FINITE_TEXT = /^[+-]?(?:inf|infinity|nan)$/i

export function integerCheck(bounds: Bounds): Check {
  const within = boundsCheck(bounds)
  return (value, items) => {
    const read = readInteger(value, items)
    if (read === undefined || !within(read, items)) return undefined
    // Beyond the safe integers another number than the one sent would be stored.
    return Number.isSafeInteger(read) ? read : tooLarge(items)
  }
}

function readInteger(value: unknown, items: ValidationItem[]): number | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return refuse(items, 'finite_number', 'Input should be a finite number')
    if (Number.isInteger(value)) return value + 0
    return refuse(
      items,
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    )
  }
  if (typeof value === 'string') return readIntegerText(value, items)
  if (typeof value === 'boolean') return value ? 1 : 0
  return refuse(items, 'int_type', 'Input should be a valid integer')
}

function readIntegerText(value: string, items: ValidationItem[]): number | undefined {
  const text = trimSpaces(value)
  if (!INTEGER_TEXT.test(text)) {
    if (!value.isWellFormed()) return refuse(items, STRING_UNICODE.type, STRING_UNICODE.msg)
    return refuse(
      items,
      'int_parsing',
      'Input should be a valid integer, unable to parse string as an integer',
    )
  }
  const number = toNumber(text.replaceAll('_', ''))
  return Number.isFinite(number) || text.length <= MAX_DIGITS ? number : tooLarge(items)
}

function tooLarge(items: ValidationItem[]): undefined {
  return refuse(
    items,
    'int_parsing_size',
    'Unable to parse input string as an integer, exceeded maximum size',
  )
}

export function numberCheck(bounds: Bounds): Check {
  const within = boundsCheck(bounds)
  return (value, items) => {
    const read = readNumber(value, items)
    if (read === undefined) return undefined
    // JSON cannot represent these.
    if (!Number.isFinite(read)) return refuse(items, 'finite_number', 'Input should be a finite number')
    return within(read, items) ? read : undefined
  }
}

function readNumber(value: unknown, items: ValidationItem[]): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return refuse(items, 'float_type', 'Input should be a valid number')
  const text = value.includes('_') ? withoutUnderscores(value) : trimSpaces(value)
  if (NUMBER_TEXT.test(text)) return toNumber(text)
  if (NOT_FINITE_TEXT.test(text)) return Number.NaN
  if (!value.isWellFormed()) return refuse(items, STRING_UNICODE.type, STRING_UNICODE.msg)
  return refuse(items, 'float_parsing', 'Input should be a valid number, unable to parse string as a number')
}

/** Removes single underscores between characters; a text with underscores is not trimmed. */
function withoutUnderscores(text: string): string {
  const isMisplaced = text.startsWith('_') || text.endsWith('_') || text.includes('__')
  return isMisplaced ? '' : text.replaceAll('_', '')
}

/** Adding zero turns -0 into 0. */
function toNumber(text: string): number {
  return Number(text) + 0
}

function boundsCheck(bounds: Bounds): (value: number, items: ValidationItem[]) => boolean {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum } = bounds
  const rules: { holds: (value: number) => boolean; type: string; msg: string }[] = []
  const add = (
    type: string,
    comparison: string,
    bound: number | undefined,
    holds: (value: number) => boolean,
  ) => {
    if (bound !== undefined) rules.push({ holds, type, msg: `Input should be ${comparison} ${bound}` })
  }
  // In pydantic's order: only the first violated bound is reported.
  add('less_than_equal', 'less than or equal to', maximum, (value) => value <= (maximum ?? 0))
  add('less_than', 'less than', exclusiveMaximum, (value) => value < (exclusiveMaximum ?? 0))
  add('greater_than_equal', 'greater than or equal to', minimum, (value) => value >= (minimum ?? 0))
  add('greater_than', 'greater than', exclusiveMinimum, (value) => value > (exclusiveMinimum ?? 0))
  return (value, items) => {
    for (const rule of rules) {
      if (rule.holds(value)) continue
      refuse(items, rule.type, rule.msg)
      return false
    }
    return true
  }
}
