import { type Shape, typesOf } from './shape.ts'

/** A value that the shape refuses, and the item that the refusal must carry. */
export interface InvalidValue {
  value: unknown
  /** Several where the service may word it either way; none where only the place is fixed. */
  types?: string[]
  msg?: string
}

/** In a JSON body: every other type, then every constraint of the shape. */
export function invalidJsonValues(shape: Shape): InvalidValue[] {
  const [type] = typesOf(shape)
  const nulls = shape.nullable ? [] : [null]
  switch (type) {
    case 'string':
      return [...all([12345, true, ['x'], { x: 1 }, ...nulls], 'string_type', string), ...constraints(shape)]
    case 'integer':
      return [
        { value: 'x', types: ['int_parsing'], msg: `${integer}, unable to parse string as an integer` },
        { value: 1.5, types: ['int_from_float'], msg: `${integer}, got a number with a fractional part` },
        ...all([[1], { x: 1 }, ...nulls], 'int_type', integer),
        ...constraints(shape),
      ]
    case 'array':
      return [...all(['x', 5, true, { x: 1 }, ...nulls], 'list_type', list), ...constraints(shape)]
    case 'object':
      return shape.fields
        ? all(['x', 5, true, ['x'], ...nulls], 'model_attributes_type', model)
        : all(['x', 5, true, ['x'], ...nulls], 'dict_type', dictionary)
    case 'any':
      return []
    default:
      throw new Error(`no input of the interface is a ${type}: say here what is wrong for one`)
  }
}

/** In a query, a path or a form everything is text: only what the text says can be wrong. */
export function invalidTextValues(shape: Shape): InvalidValue[] {
  const types = typesOf(shape)
  if (types.length > 1) return [{ value: 'x' }, { value: '-1' }, { value: '0' }]
  if (types[0] === 'integer') {
    return [{ value: 'x', types: ['int_parsing'], msg: `${integer}, unable to parse string as an integer` }]
  }
  return constraints(shape)
}

function constraints(shape: Shape): InvalidValue[] {
  return [
    ...(shape.enum ? [outsideEnum(shape.enum)] : []),
    ...(shape.format === 'email' ? [noEmail] : []),
    ...(shape.format === 'date-time' ? [noDateTime] : []),
    ...(shape.pattern === undefined ? [] : [outsidePattern(shape.pattern)]),
    ...lengths(shape),
    ...(shape.exclusiveMinimum === undefined ? [] : notAbove(shape.exclusiveMinimum)),
    ...(shape.maximum === undefined ? [] : [above(shape.maximum)]),
    ...(shape.minItems === undefined ? [] : [tooFew(shape.minItems)]),
  ]
}

function outsideEnum(values: string[]): InvalidValue {
  const quoted = values.map((value) => `'${value}'`)
  const msg = `Input should be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return { value: 'something_else', types: ['enum', 'literal_error'], msg }
}

function outsidePattern(pattern: string): InvalidValue {
  const value = ['#', ','].find((each) => !new RegExp(pattern).test(each))
  if (value === undefined) throw new Error(`'#' and ',' match ${pattern}: choose another`)
  return { value, types: ['string_pattern_mismatch'], msg: `String should match pattern '${pattern}'` }
}

function lengths({ minLength: min, maxLength: max }: Shape): InvalidValue[] {
  return [
    ...(min === undefined
      ? []
      : [{ value: 'x'.repeat(min - 1), types: ['string_too_short'], msg: atLeastOrMost('least', min) }]),
    ...(max === undefined
      ? []
      : [{ value: 'x'.repeat(max + 1), types: ['string_too_long'], msg: atLeastOrMost('most', max) }]),
  ]
}

function atLeastOrMost(side: 'least' | 'most', count: number): string {
  return `String should have at ${side} ${count} ${count === 1 ? 'character' : 'characters'}`
}

function notAbove(bound: number): InvalidValue[] {
  return all([bound, bound - 1], 'greater_than', `Input should be greater than ${bound}`)
}

function above(bound: number): InvalidValue {
  const msg = `Input should be less than or equal to ${bound}`
  return { value: bound + 1, types: ['less_than_equal'], msg }
}

function tooFew(count: number): InvalidValue {
  const msg = `List should have at least ${count} ${count === 1 ? 'item' : 'items'} after validation, not 0`
  return { value: [], types: ['too_short'], msg }
}

function all(values: unknown[], type: string, msg: string): InvalidValue[] {
  return values.map((value) => ({ value, types: [type], msg }))
}

const string = 'Input should be a valid string'
const integer = 'Input should be a valid integer'
const list = 'Input should be a valid list'
const dictionary = 'Input should be a valid dictionary'
const model = 'Input should be a valid dictionary or object to extract fields from'

const noEmail: InvalidValue = {
  value: 'no-at-sign',
  types: ['value_error'],
  msg: 'value is not a valid email address: An email address must have an @-sign.',
}

const noDateTime: InvalidValue = {
  value: 'x',
  types: ['datetime_from_date_parsing'],
  msg: 'Input should be a valid datetime or date, input is too short',
}
