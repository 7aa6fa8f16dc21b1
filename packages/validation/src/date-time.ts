import { type Parsed, type Refusal, STRING_UNICODE } from './item.ts'

const DATE_LENGTH = 10
/** Larger numbers are milliseconds, others seconds. */
const MAX_SECONDS = 20_000_000_000
const YEAR_ZERO_MS = -62_167_219_200_000
const FIRST_MS = -62_135_596_800_000
const AFTER_LAST_MS = 253_402_300_800_000
const TIMESTAMP_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const SHORT_INTEGER = /^[+-]?\d{1,19}$/
const TIME = /^[Tt_ ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+\u2212-])(\d\d):?(\d\d))?$/
const YEAR_ZERO = unreadable('year 0 is out of range')

/**
 * Accepts the same input as pydantic: RFC 3339 and relaxed forms of it, a date alone, or a Unix time in seconds or
 * milliseconds. A time without an offset is UTC. Digits finer than milliseconds are cut off.
 */
export function parseDateTime(value: unknown): Parsed<Date> {
  if (typeof value === 'string') return parseText(value)
  if (typeof value !== 'number') return { type: 'datetime_type', msg: 'Input should be a valid datetime' }
  if (Number.isNaN(value)) return unreadable('NaN values not permitted')
  const ms = timestampToMs(value)
  const fault = rangeFault(ms)
  if (fault !== undefined) return unreadable(fault)
  return ms < FIRST_MS ? YEAR_ZERO : { value: new Date(ms) }
}

function parseText(text: string): Parsed<Date> {
  const day = readDate(text)
  if (typeof day === 'number') {
    const time = text.length === DATE_LENGTH ? 0 : readTime(text.slice(DATE_LENGTH))
    if (time !== undefined) return text.startsWith('0000') ? YEAR_ZERO : { value: new Date(day + time) }
  } else if (TIMESTAMP_TEXT.test(text)) {
    return parseTimestampText(text, day)
  }
  if (!text.isWellFormed()) return STRING_UNICODE
  // pydantic tries a date-time, then a date, and reports why it is not a date.
  return notADate(typeof day === 'string' ? day : 'unexpected extra characters at the end of the input')
}

function parseTimestampText(text: string, dateFault: string): Parsed<Date> {
  const ms = timestampToMs(Number(text))
  const fault = rangeFault(ms)
  if (fault !== undefined) return notADate(SHORT_INTEGER.test(text) ? fault : dateFault)
  return ms < FIRST_MS ? YEAR_ZERO : { value: new Date(ms) }
}

function unreadable(reason: string): Refusal {
  return { type: 'datetime_parsing', msg: `Input should be a valid datetime, ${reason}` }
}

function notADate(reason: string): Refusal {
  return { type: 'datetime_from_date_parsing', msg: `Input should be a valid datetime or date, ${reason}` }
}

/** The start of the day in milliseconds, or why the first ten characters are not a date. */
function readDate(text: string): number | string {
  if (text.length < DATE_LENGTH && Buffer.byteLength(text) < DATE_LENGTH) return 'input is too short'
  const year = readDigits(text, 0, 4)
  if (year === undefined) return 'invalid character in year'
  if (text[4] !== '-') return 'invalid date separator, expected `-`'
  const month = readDigits(text, 5, 7)
  if (month === undefined) return 'invalid character in month'
  if (text[7] !== '-') return 'invalid date separator, expected `-`'
  const day = readDigits(text, 8, DATE_LENGTH)
  if (day === undefined) return 'invalid character in day'
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCDate() === day ? date.getTime() : 'day value is outside expected range'
}

function readDigits(text: string, from: number, to: number): number | undefined {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    number = number * 10 + digit
  }
  return number
}

/** Milliseconds from the start of the day in UTC. */
function readTime(text: string): number | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, hour, minute, second = '0', fraction = '', , sign, offsetHour = '0', offsetMinute = '0'] = match
  const offset = Number(offsetHour) * 60 + Number(offsetMinute)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetMinute) > 59 || offset >= 24 * 60) return undefined
  const minutes = Number(hour) * 60 + Number(minute) - (sign === '+' ? offset : -offset)
  return minutes * 60_000 + Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

function timestampToMs(timestamp: number): number {
  if (!Number.isFinite(timestamp)) return timestamp
  const isMs = Math.abs(timestamp) > MAX_SECONDS
  const whole = Math.floor(timestamp)
  // Microseconds are rounded before they are cut to milliseconds, so that 1.9999999 is two seconds.
  const micros = Math.round((timestamp - whole) * (isMs ? 1000 : 1_000_000))
  return whole * (isMs ? 1 : 1000) + Math.floor(micros / 1000)
}

function rangeFault(ms: number): string | undefined {
  if (ms >= AFTER_LAST_MS) return 'dates after 9999 are not supported as unix timestamps'
  if (ms < YEAR_ZERO_MS) return 'dates before 0000 are not supported as unix timestamps'
  return undefined
}
