import { expect, it } from 'vitest'
import { rejectedParameter } from './rejected-parameter.ts'

it('a rejected parameter is shown without values of secrets', () => {
  const ssid = { name: 'office', encryption: { proto: 'psk2', key: 'abc-123' } }
  const text = '{"name":"office","encryption":{"proto":"psk2","key":"***"}}'
  expect(rejectedParameter(ssid)).toBe(text)
  expect(rejectedParameter(JSON.stringify(ssid))).toBe(text)
  expect(rejectedParameter({ 'private-key': ['abc-123'], Password: 7 })).toBe(
    '{"private-key":"***","Password":"***"}',
  )
  expect(rejectedParameter('interfaces[0].ssids[0].encryption.key')).toBe(
    'interfaces[0].ssids[0].encryption.key',
  )
  expect(rejectedParameter('"key": "abc-123"')).not.toContain('abc-123')
  expect(rejectedParameter({ channel: 200 })).toBe('{"channel":200}')
  expect(rejectedParameter(undefined)).toBe('')
})

it('a rejected parameter that is nested too deeply is left out', () => {
  let nested: unknown = []
  for (let n = 0; n < 200_000; n += 1) nested = [nested]
  expect(rejectedParameter(nested)).toBe('')
})
