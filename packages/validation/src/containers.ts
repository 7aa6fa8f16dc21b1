import { type Check, prependLoc, refuse, type ValidationItem } from './item.ts'
import { plural } from './text.ts'

/** Bounds the response to a list with a million wrong elements. */
const MAX_ITEMS = 1000

type PlainObject = Record<string, unknown>

/** Only results of JSON.parse: a Buffer or a parsed form is not an object with fields. */
function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns a free-form object unchanged, by identity. */
export function dictionaryCheck(maxBytes = Infinity): Check {
  return (value, items) => {
    if (!isPlainObject(value)) return refuse(items, 'dict_type', 'Input should be a valid dictionary')
    if (maxBytes < Infinity && Buffer.byteLength(JSON.stringify(value)) > maxBytes)
      return refuse(items, 'too_long', `Value should have at most ${maxBytes} bytes as JSON`)
    return value
  }
}

interface ListRules {
  minItems?: number | undefined
  maxItems?: number | undefined
}

export function listCheck(element: Check, { minItems = 0, maxItems = Infinity }: ListRules): Check {
  return (value, items) => {
    if (!Array.isArray(value)) return refuse(items, 'list_type', 'Input should be a valid list')
    const given: readonly unknown[] = value
    if (given.length > maxItems) return refuseLength(items, 'too_long', 'at most', maxItems, given.length)
    const before = items.length
    const checked = checkElements(given, element, items)
    if (items.length > before) return undefined
    if (given.length < minItems) return refuseLength(items, 'too_short', 'at least', minItems, given.length)
    return checked
  }
}

/** Copies only when an element changes, so that large lists of free-form objects pass untouched. */
function checkElements(
  given: readonly unknown[],
  element: Check,
  items: ValidationItem[],
): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < given.length && items.length < MAX_ITEMS; index++) {
    const before = items.length
    const result = element(given[index], items)
    if (items.length > before) prependLoc(items, before, index)
    if (copy === undefined && result !== given[index]) copy = given.slice(0, index)
    copy?.push(result)
  }
  return copy ?? given
}

function refuseLength(
  items: ValidationItem[],
  type: string,
  comparison: string,
  limit: number,
  found: number,
): undefined {
  const msg = `List should have ${comparison} ${plural(limit, 'item')} after validation, not ${found}`
  return refuse(items, type, msg)
}

export interface Field {
  name: string
  check: Check
  required: boolean
  /** Returns the value of an absent field; a new copy per call where it is mutable. */
  fallback: (() => unknown) | undefined
}

export function modelCheck(fields: readonly Field[]): Check {
  return (value, items) => {
    if (isPlainObject(value)) return readFields(fields, value, items)
    return refuse(
      items,
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    )
  }
}

/** The result has only the fields of the schema. */
export function readFields(
  fields: readonly Field[],
  source: PlainObject,
  items: ValidationItem[],
): PlainObject {
  const result: PlainObject = {}
  for (const { name, check, required, fallback } of fields) {
    const given = source[name]
    const before = items.length
    if (given !== undefined) {
      const checked = check(given, items)
      if (items.length === before) result[name] = checked
    } else if (fallback !== undefined) result[name] = fallback()
    else if (required) refuse(items, 'missing', 'Field required')
    if (items.length > before) prependLoc(items, before, name)
  }
  return result
}
