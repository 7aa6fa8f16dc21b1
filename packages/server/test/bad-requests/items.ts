import type { ValidationItem } from '@manc/contract'

type Loc = ValidationItem['loc']

/** The items of pydantic 2.13, word by word. */
const item = (type: string, msg: string) => (loc: Loc) => ({ loc, msg, type })

export const missing = item('missing', 'Field required')
export const notText = item('string_type', 'Input should be a valid string')
export const notUnicode = item(
  'string_unicode',
  'Input should be a valid string, unable to parse raw data as a unicode string',
)
export const notAList = item('list_type', 'Input should be a valid list')
export const notADictionary = item('dict_type', 'Input should be a valid dictionary')
export const notAnInteger = item('int_type', 'Input should be a valid integer')
export const hasAFraction = item(
  'int_from_float',
  'Input should be a valid integer, got a number with a fractional part',
)
export const noIntegerInText = item(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
)
export const noFields = item(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
)
export const noTechnology = item('literal_error', "Input should be '5G', 'WiFi', 'LiFi' or 'other'")
export const notInChoices = (choices: readonly string[], loc: Loc) => {
  const quoted = choices.map((each) => `'${each}'`)
  const last = quoted.pop()
  return item(
    'literal_error',
    `Input should be ${[quoted.join(', '), last].filter(Boolean).join(' or ')}`,
  )(loc)
}
export const noTime = (reason: string, loc: Loc) =>
  item('datetime_from_date_parsing', `Input should be a valid datetime or date, ${reason}`)(loc)
export const noLoginType = item('literal_error', "Input should be 'user', 'agent' or 'third_party_app'")

export const tooShort = (least: number, loc: Loc) =>
  item('string_too_short', `String should have at least ${counted(least, 'character')}`)(loc)
export const tooLong = (most: number, loc: Loc) =>
  item('string_too_long', `String should have at most ${counted(most, 'character')}`)(loc)
export const tooManyItems = (most: number, found: number, loc: Loc) =>
  item('too_long', `List should have at most ${counted(most, 'item')} after validation, not ${found}`)(loc)
export const tooFewItems = (least: number, found: number, loc: Loc) =>
  item('too_short', `List should have at least ${counted(least, 'item')} after validation, not ${found}`)(loc)
export const lessThan = (least: number, loc: Loc) =>
  item('greater_than_equal', `Input should be greater than or equal to ${least}`)(loc)
export const moreThan = (most: number, loc: Loc) =>
  item('less_than_equal', `Input should be less than or equal to ${most}`)(loc)
export const noMatch = (pattern: string, loc: Loc) =>
  item('string_pattern_mismatch', `String should match pattern '${pattern}'`)(loc)
export const noAddress = (reason: string, loc: Loc) =>
  item('value_error', `value is not a valid email address: ${reason}`)(loc)
export const malformedAt = (offset: number) => item('json_invalid', 'JSON decode error')(['body', offset])

/** These have no counterpart in pydantic: the words are the product's own. */
export const noWindow = item(
  'value_error',
  'Value error, window should be minutes, or a number with a unit such as 30s, 5m, 1.5h, 2d or 1w, from 1s to 31d',
)
export const noBox = item(
  'value_error',
  'Value error, bbox should be west,south,east,north in degrees, with south at or below north',
)
export const noMark = item('value_error', 'Value error, after should be the next of an earlier answer')
export const tooDeep = item('json_too_deep', 'JSON nested deeper than 64 levels')(['body'])
export const tooManyBytes = item('too_long', 'Value should have at most 65536 bytes as JSON')

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
