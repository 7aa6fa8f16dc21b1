import type { Checks } from './checks.ts'
import { isObject } from './document.ts'
import { type Field, type Shape, type TypeName, typesOf } from './shape.ts'

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
}

/** Items of a list beyond these are of the same making. */
const MOST_ITEMS = 5

/** A value of a real answer, field by field. */
export function checkValue(where: string, shape: Shape, value: unknown, checks: Checks): void {
  const types = typesOf(shape)
  if (value === null) {
    checks.equal(`${where}: null allowed`, true, shape.nullable === true)
    return
  }
  const isRight = types.some((type) => isOfType(value, type))
  if (!checks.holds(`${where}: type`, isRight, types.join(' or '), value)) return
  if (shape.format !== undefined) {
    const matches = typeof value === 'string' && (FORMATS[shape.format]?.test(value) ?? false)
    checks.holds(`${where}: format`, matches, shape.format, value)
  }
  if (shape.enum) checks.holds(`${where}: enum`, isAmong(shape.enum, value), shape.enum.join(' or '), value)
  if (shape.items && Array.isArray(value)) {
    // The exercises see to it that every list has something in it to look at.
    checks.holds(`${where}: items`, value.length > 0, 'at least one item', value)
    for (const [i, item] of value.slice(0, MOST_ITEMS).entries()) {
      checkValue(`${where}[${i}]`, shape.items, item, checks)
    }
  }
  if (shape.fields && isObject(value)) checkFields(where, shape.fields, value, checks)
}

function checkFields(where: string, fields: Field[], value: Record<string, unknown>, checks: Checks): void {
  for (const field of fields) {
    const at = `${where}.${field.name}`
    if (!checks.holds(`${at}: presence`, field.name in value, 'a member', value)) continue
    checkValue(at, field, value[field.name], checks)
  }
}

function isAmong(values: string[], value: unknown): boolean {
  return typeof value === 'string' && values.includes(value)
}

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'any':
      return true
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
}
