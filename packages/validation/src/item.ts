type Loc = (string | number)[]

/** One entry of a 422 body. There is no `input` on purpose: it would echo passwords. */
export interface ValidationItem {
  loc: Loc
  msg: string
  type: string
}

/** The result of a parser: the coerced value, or the error. */
export type Parsed<T> = { value: T } | Refusal

export interface Refusal {
  type: string
  msg: string
}

export type Parser<T> = (value: unknown) => Parsed<T>

/**
 * Returns the coerced value, or pushes items whose `loc` is relative to the value; the caller prepends its key. So no
 * paths are built for a valid request.
 */
export type Check = (value: unknown, items: ValidationItem[]) => unknown

export function refuse(items: ValidationItem[], type: string, msg: string): undefined {
  items.push({ loc: [], msg, type })
}

export function prependLoc(
  items: ValidationItem[],
  from: number,
  ...keys: readonly (string | number)[]
): void {
  for (let index = from; index < items.length; index++) items[index]?.loc.unshift(...keys)
}

export function checkFromParser(parse: Parser<unknown>): Check {
  return (value, items) => {
    const parsed = parse(value)
    return 'value' in parsed ? parsed.value : refuse(items, parsed.type, parsed.msg)
  }
}

export const STRING_TYPE: Refusal = { type: 'string_type', msg: 'Input should be a valid string' }

/** A lone surrogate cannot be stored as UTF-8: PostgreSQL would store another text. */
export const STRING_UNICODE: Refusal = {
  type: 'string_unicode',
  msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
}
