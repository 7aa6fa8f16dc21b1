import { parseDateTime } from './date-time.ts'
import { parseEmailAddress } from './email-address.ts'
import {
  type Check,
  checkFromParser,
  refuse,
  STRING_TYPE,
  STRING_UNICODE,
  type ValidationItem,
} from './item.ts'
import { isLongerThan, plural, quoted } from './text.ts'
import { parseUuid } from './uuid.ts'

interface StringRules {
  minLength?: number | undefined
  maxLength?: number | undefined
  pattern?: string | undefined
  format?: string | undefined
}

export function stringCheck(rules: StringRules): Check {
  const keepsRules = textRules(rules)
  switch (rules.format) {
    case undefined:
      return (value, items) => {
        if (typeof value !== 'string') return refuse(items, STRING_TYPE.type, STRING_TYPE.msg)
        if (!value.isWellFormed()) return refuse(items, STRING_UNICODE.type, STRING_UNICODE.msg)
        return keepsRules === undefined || keepsRules(value, items) ? value : undefined
      }
    case 'email': {
      const check = checkFromParser(parseEmailAddress)
      if (keepsRules === undefined) return check
      return (value, items) => {
        const address = check(value, items)
        return typeof address === 'string' && keepsRules(address, items) ? address : undefined
      }
    }
    case 'date-time':
      return withoutRules(rules.format, keepsRules, checkFromParser(parseDateTime))
    case 'uuid':
      return withoutRules(rules.format, keepsRules, checkFromParser(parseUuid))
    default:
      throw new Error(`Unsupported string format: ${rules.format}`)
  }
}

function withoutRules(format: string, keepsRules: unknown, check: Check): Check {
  if (keepsRules === undefined) return check
  throw new Error(`A length or pattern beside the format ${format} is not supported`)
}

type TextRules = (value: string, items: ValidationItem[]) => boolean

function textRules({ minLength, maxLength, pattern }: StringRules): TextRules | undefined {
  if (minLength === undefined && maxLength === undefined && pattern === undefined) return undefined
  const longest = maxLength ?? Number.POSITIVE_INFINITY
  const lessThanShortest = (minLength ?? 0) - 1
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (value, items) => {
    if (isLongerThan(value, longest)) {
      refuse(items, 'string_too_long', `String should have at most ${plural(longest, 'character')}`)
    } else if (lessThanShortest >= 0 && !isLongerThan(value, lessThanShortest)) {
      const shortest = plural(lessThanShortest + 1, 'character')
      refuse(items, 'string_too_short', `String should have at least ${shortest}`)
    } else if (expression?.test(value) === false) {
      refuse(items, 'string_pattern_mismatch', `String should match pattern '${pattern}'`)
    } else return true
    return false
  }
}

/** pydantic has `literal_error` or `enum`, by the Python type of the field. */
export function literalCheck(literals: readonly string[], errorType: 'literal_error' | 'enum'): Check {
  const allowed = new Set<unknown>(literals)
  const shown = literals.map(quoted)
  const last = shown.pop()
  const msg = `Input should be ${shown.length === 0 ? last : `${shown.join(', ')} or ${last}`}`
  return (value, items) => (allowed.has(value) ? value : refuse(items, errorType, msg))
}
