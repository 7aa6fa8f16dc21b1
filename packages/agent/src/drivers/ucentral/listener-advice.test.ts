import { expect, it } from 'vitest'
import { listenAdvice, serialAdvice } from './listener-advice.ts'

it('the advice for an unknown access point has its complete serial number, if the settings can have it', () => {
  const long = '0123456789abcdef_0123456789abcdef'
  expect(serialAdvice(long)).toContain(`"serial": "${long}"`)
  for (const other of ['', 'a b', 'a"b', 'x'.repeat(65)]) expect(serialAdvice(other)).not.toContain('device"')
})

it('the advice for a listener that cannot listen is of its error', () => {
  expect(listenAdvice('EADDRINUSE')).toContain('stop the program')
  expect(listenAdvice('EACCES')).toContain('1024')
  expect(listenAdvice('EADDRNOTAVAIL')).toContain('an address of this machine')
  expect(listenAdvice(undefined)).toContain('correct "address" and "port"')
})
