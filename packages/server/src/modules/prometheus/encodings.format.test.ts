import { expect, it } from 'vitest'
import { acceptsGzip } from './encodings.format.ts'

it.each([
  [undefined, false],
  ['', false],
  ['identity', false],
  ['br, deflate', false],
  ['x-gzip', false],
  ['gzip;q=0', false],
  ['gzip; q=0.000, identity', false],
  ['gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['gzip ; q=0.1', true],
])('of %j: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected)
})
