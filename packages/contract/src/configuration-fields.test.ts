import { expect, it } from 'vitest'
import { configurationFields, fieldProblem } from './configuration-fields.ts'
import { technologies } from './technologies.ts'

it('each technology has a form with distinct paths', () => {
  for (const technology of technologies) {
    const paths = configurationFields[technology].map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toContain('name')
  }
})

it('a value outside of a field is explained, and one that is not set is accepted', () => {
  const fieldOf = (path: string) => configurationFields.WiFi.find((field) => field.path === path)
  const problemOf = (path: string, value: unknown) => {
    const field = fieldOf(path)
    if (!field) throw new Error(path)
    return fieldProblem(field, value)
  }
  expect(problemOf('channel', undefined)).toBe(undefined)
  expect(problemOf('channel', 6)).toBe(undefined)
  expect(problemOf('channel', 6.5)).toBe('Enter a whole number.')
  expect(problemOf('channel', '6')).toBe('Enter a number.')
  expect(problemOf('tx_power_dbm', 90)).toBe('Enter a number from 0 to 36.')
  expect(problemOf('bandwidth_mhz', 30)).toBe('Choose one of 20, 40, 80, 160, 320.')
  expect(problemOf('ssid', 'x'.repeat(33))).toBe('Enter at most 32 characters.')
  expect(problemOf('name', 'Library')).toBe(undefined)
})
