import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDateTime } from './date-time.ts'

/** Lone halves of surrogate pairs included: JSON can carry them. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('😀', 'a', '0', '"'),
)

function iso(value: unknown): string {
  const parsed = parseDateTime(value)
  return 'value' in parsed ? parsed.value.toISOString() : parsed.msg
}

function notADate(reason: string) {
  return { type: 'datetime_from_date_parsing', msg: `Input should be a valid datetime or date, ${reason}` }
}

const EXTRA = 'unexpected extra characters at the end of the input'
const DATE_SEPARATOR = 'invalid date separator, expected `-`'
const TOO_LATE = 'dates after 9999 are not supported as unix timestamps'

describe('a date-time', () => {
  it.each([
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01t10:00:00z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01 10:00:00+01:00', '2024-01-01T09:00:00.000Z'],
    ['2024-01-01_10:00:00-0130', '2024-01-01T11:30:00.000Z'],
    ['2024-01-01T10:00:00\u221201:00', '2024-01-01T11:00:00.000Z'],
    ['2024-01-01T10:00', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00+23:59', '2023-12-31T10:01:00.000Z'],
    ['2024-01-01T10:00:00.1', '2024-01-01T10:00:00.100Z'],
    ['2024-01-01T10:00:00,123999', '2024-01-01T10:00:00.123Z'],
    ['2024-01-01T10:00:00.123456789123Z', '2024-01-01T10:00:00.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['20000000000', '2603-10-11T11:33:20.000Z'],
    ['20000000001', '1970-08-20T11:33:20.001Z'],
    ['1700000000.123456', '2023-11-14T22:13:20.123Z'],
    ['1700000000123.456', '2023-11-14T22:13:20.123Z'],
    ['1.9999999', '1970-01-01T00:00:02.000Z'],
    ['-1.5', '1969-12-31T23:59:58.500Z'],
    ['+5', '1970-01-01T00:00:05.000Z'],
    ['.5', '1970-01-01T00:00:00.500Z'],
    ['2024', '1970-01-01T00:33:44.000Z'],
    ['-62135596800000', '0001-01-01T00:00:00.000Z'],
    [5, '1970-01-01T00:00:05.000Z'],
    [1_700_000_000_123, '2023-11-14T22:13:20.123Z'],
  ])('reads the Unix time %s as %s', (value, expected) => {
    expect(iso(value)).toBe(expected)
  })

  it.each([
    ['', 'input is too short'],
    ['now', 'input is too short'],
    ['1e3', 'input is too short'],
    [' 5', 'input is too short'],
    ['éééé', 'input is too short'],
    ['ééééé', 'invalid character in year'],
    ['abcdefghij', 'invalid character in year'],
    [' 2024-01-01', 'invalid character in year'],
    ['2024/01/01', DATE_SEPARATOR],
    ['20240101T101010', DATE_SEPARATOR],
    ['99999999999999999999', DATE_SEPARATOR],
    ['2024-0a-01', 'invalid character in month'],
    ['2024-01-0é', 'invalid character in day'],
    ['2024-13-01', 'month value is outside expected range of 1-12'],
    ['2024-00-01', 'month value is outside expected range of 1-12'],
    ['2023-02-29T00:00', 'day value is outside expected range'],
    ['2024-01-00', 'day value is outside expected range'],
    ['2024-01-01 ', EXTRA],
    ['2024-01-01X10:00', EXTRA],
    ['2024-01-01T24:00', EXTRA],
    ['2024-01-01T10:00:60', EXTRA],
    ['2024-01-01T10:00:00.', EXTRA],
    ['2024-01-01T10:00:00+01', EXTRA],
    ['2024-01-01T10:00:00+24:00', EXTRA],
    ['2024-01-01T10:00:00 Z', EXTRA],
    ['2024-01-01T10:00\0', EXTRA],
    ['253402300800000', TOO_LATE],
    ['-62167219200001', 'dates before 0000 are not supported as unix timestamps'],
  ])('refuses %j because: %s', (text, reason) => {
    expect(parseDateTime(text)).toEqual(notADate(reason))
  })

  it.each([[null], [true], [[]], [{}], [undefined]])('refuses %j by its type', (value) => {
    expect(parseDateTime(value)).toEqual({ type: 'datetime_type', msg: 'Input should be a valid datetime' })
  })

  it.each([
    ['0000-01-01', 'year 0 is out of range'],
    ['-62135596800001', 'year 0 is out of range'],
    [-62_135_596_800_001, 'year 0 is out of range'],
    [1e20, TOO_LATE],
    [Number.POSITIVE_INFINITY, TOO_LATE],
    [Number.NEGATIVE_INFINITY, 'dates before 0000 are not supported as unix timestamps'],
    [Number.NaN, 'NaN values not permitted'],
  ])('refuses %s as no date-time that can be: %s', (value, reason) => {
    expect(parseDateTime(value)).toEqual({
      type: 'datetime_parsing',
      msg: `Input should be a valid datetime, ${reason}`,
    })
  })

  it('refuses a lone surrogate as no text', () => {
    expect(parseDateTime('2024-01-01\ud800')).toHaveProperty('type', 'string_unicode')
  })

  it('reads back every time that it wrote', () => {
    const min = new Date('0001-01-01T00:00:00Z')
    const max = new Date('9999-12-31T23:59:59.999Z')
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseDateTime(date.toISOString())).toEqual({ value: date })
      }),
    )
  })

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit })), (value) => {
        const parsed = parseDateTime(value)
        expect('value' in parsed ? parsed.value.getTime() : 0).not.toBeNaN()
      }),
    )
  })

  it('takes time in proportion to the length of the text', () => {
    const start = performance.now()
    for (const text of ['0'.repeat(1e5), `${'0'.repeat(1e5)}x`, `2024-01-01T00:00:00.${'1'.repeat(1e5)}x`]) {
      parseDateTime(text)
    }
    // In quadratic time it would take several seconds.
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
