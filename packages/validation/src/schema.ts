import { booleanCheck } from './boolean.ts'
import { dictionaryCheck, type Field, listCheck, modelCheck } from './containers.ts'
import { type Check, checkFromParser } from './item.ts'
import { integerCheck, numberCheck } from './number.ts'
import { parserOf } from './parser.ts'
import { assertKeywords, isSchema, numberKeyword, type Schema, textKeyword } from './schema-keywords.ts'
import { literalCheck, stringCheck } from './string.ts'

/** TypeBox's pattern for a record with string keys. */
const ANY_NAME = '^.*$'

/**
 * Compiles the part of JSON Schema that the interface uses into closures. It throws on anything else, so a schema is
 * either enforced in full or fails the start.
 */
export function compileSchema(schema: unknown, where: string): Check {
  if (!isSchema(schema)) throw new Error(`Not a schema: ${where}`)
  const parse = parserOf(schema)
  if (parse !== undefined) return checkFromParser(parse)
  if (schema.anyOf !== undefined) return compileUnion(schema, where)
  if (schema.enum !== undefined || schema.const !== undefined) return compileLiterals(schema, where)
  switch (schema.type) {
    case 'object':
      return compileObject(schema, where)
    case 'array':
      assertKeywords(schema, where, ['type', 'items', 'minItems', 'maxItems'])
      return listCheck(compileSchema(schema.items, `${where}[]`), {
        minItems: numberKeyword(schema, 'minItems'),
        maxItems: numberKeyword(schema, 'maxItems'),
      })
    case 'string':
      assertKeywords(schema, where, ['type', 'minLength', 'maxLength', 'pattern', 'format'])
      return stringCheck({
        minLength: numberKeyword(schema, 'minLength'),
        maxLength: numberKeyword(schema, 'maxLength'),
        pattern: textKeyword(schema, 'pattern'),
        format: textKeyword(schema, 'format'),
      })
    case 'integer':
      return integerCheck(bounds(schema, where))
    case 'number':
      return numberCheck(bounds(schema, where))
    case 'boolean':
      assertKeywords(schema, where, ['type'])
      return booleanCheck
    case undefined:
      assertKeywords(schema, where, [])
      return (value) => value
    default:
      throw new Error(`Unsupported type ${String(schema.type)}: ${where}`)
  }
}

/** Whether a repeated query parameter is a list; otherwise the last value counts. */
export function isList(schema: unknown): boolean {
  if (!isSchema(schema)) return false
  return schema.type === 'array' || (Array.isArray(schema.anyOf) && schema.anyOf.some(isList))
}

/** The fields of a model in the order of its definition, which is the order of the reported items. */
export function compileFields(schema: Schema, where: string): Field[] {
  assertKeywords(schema, where, ['type', 'properties', 'required'])
  const { properties, required = [] } = schema
  if (!isSchema(properties) || !Array.isArray(required)) throw new Error(`Unsupported object: ${where}`)
  if (!required.every((name) => Object.hasOwn(properties, String(name)))) {
    throw new Error(`A required field is not described: ${where}`)
  }
  return Object.entries(properties).map(([name, property]) => {
    // These exist on every object.
    if (name in Object.prototype) throw new Error(`Unsupported field name ${name}: ${where}`)
    const check = compileSchema(property, `${where}.${name}`)
    const fallback = compileDefault(property, check, `${where}.${name}`)
    return { name, check, required: required.includes(name), fallback }
  })
}

function compileObject(schema: Schema, where: string): Check {
  if (schema.properties !== undefined && schema.additionalProperties === undefined) {
    return modelCheck(compileFields(schema, where))
  }
  if (Object.keys(schema.properties ?? {}).length > 0) throw new Error(`Unsupported object: ${where}`)
  assertKeywords(schema, where, ['type', 'properties', 'additionalProperties', 'patternProperties'])
  const rules: [string, unknown][] = Object.entries(schema.patternProperties ?? {})
  if (schema.additionalProperties !== undefined) rules.push([ANY_NAME, schema.additionalProperties])
  const isFree = rules.every(([name, rule]) => name === ANY_NAME && allowsAnything(rule))
  if (rules.length === 0 || !isFree) throw new Error(`Unsupported free-form object: ${where}`)
  return dictionaryCheck(numberKeyword(schema, 'x-max-bytes'))
}

function allowsAnything(rule: unknown): boolean {
  return rule === true || (isSchema(rule) && Object.keys(rule).length === 0)
}

function compileUnion(schema: Schema, where: string): Check {
  assertKeywords(schema, where, ['anyOf', 'errorType'])
  const branches: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : []
  const others = branches.filter((branch) => !(isSchema(branch) && branch.type === 'null'))
  const check = others.length === 1 ? compileSchema(others[0], where) : compileLiterals(schema, where, others)
  if (others.length === branches.length) return check
  return (value, items) => (value === null ? null : check(value, items))
}

function compileLiterals(schema: Schema, where: string, branches: unknown[] = [schema]): Check {
  const literals = branches.flatMap((branch) => {
    if (!isSchema(branch)) throw new Error(`Unsupported union: ${where}`)
    assertKeywords(branch, where, ['type', 'const', 'enum', 'errorType'])
    return branch.const === undefined ? branch.enum : [branch.const]
  })
  const texts = literals.filter((literal) => typeof literal === 'string')
  if (texts.length === 0 || texts.length < literals.length) throw new Error(`Unsupported union: ${where}`)
  return literalCheck(texts, schema.errorType === 'enum' ? 'enum' : 'literal_error')
}

/** As in pydantic a default is not validated, but it is parsed by the schema's parser. */
function compileDefault(schema: unknown, check: Check, where: string): (() => unknown) | undefined {
  if (!isSchema(schema) || schema.default === undefined) return undefined
  let value: unknown = schema.default
  if (parserOf(schema) !== undefined) {
    const items: [] = []
    value = check(value, items)
    if (items.length > 0) throw new Error(`The parser refuses the default: ${where}`)
  }
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value
}

function bounds(schema: Schema, where: string) {
  assertKeywords(schema, where, ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
  return {
    minimum: numberKeyword(schema, 'minimum'),
    maximum: numberKeyword(schema, 'maximum'),
    exclusiveMinimum: numberKeyword(schema, 'exclusiveMinimum'),
    exclusiveMaximum: numberKeyword(schema, 'exclusiveMaximum'),
  }
}
