import { expect, it } from 'vitest'
import { formatCompact, formatCount, formatNumber, formatValue, formatWithUnit } from './number.ts'

it('numbers have thousands separators', () => {
  expect([formatNumber(30_001), formatNumber(1234.56, 1), formatNumber(7)]).toEqual([
    '30,001',
    '1,234.6',
    '7',
  ])
  expect(formatCompact(63_000)).toBe('63K')
})

it('counts have a plural', () => {
  expect([formatCount(0, 'client'), formatCount(1, 'client'), formatCount(1200, 'access point')]).toEqual([
    '0 clients',
    '1 client',
    '1,200 access points',
  ])
})

it('measured values have two digits below 100 and one above', () => {
  expect([formatValue(3.14159), formatValue(1234.56), formatValue(-71)]).toEqual(['3.14', '1,234.6', '-71'])
  expect([formatWithUnit(5, '%'), formatWithUnit(5, ''), formatWithUnit(undefined, '%')]).toEqual([
    '5 %',
    '5',
    '–',
  ])
})
