import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { idFor, mosquitto, referenceAgent, shellAgent } from './agent-commands.ts'

const setting = {
  url: 'https://manc.example.org',
  broker: 'manc.example.org:8883',
  configuration: { technology: 'WiFi', name: "Anna's hall" },
}
const own = { apId: 'wifi-7', password: 'a-password_1' }

/** What a shell makes of it, with other programs in their place. */
const run = (script: string) => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })

it('the shell agent gets its settings, whatever is in them', () => {
  const script = shellAgent(own, setting).replace('packages/agent/manc-agent.sh', 'env')
  const told = run(script).split('\n')
  expect(told).toContain('MANC_URL=https://manc.example.org')
  expect(told).toContain('MANC_AP_ID=wifi-7')
  expect(told).toContain('MANC_PASSWORD=a-password_1')
  expect(told).toContain(`MANC_CONFIGURATION=${JSON.stringify(setting.configuration)}`)
})

it('the shell agent registers itself with a token', () => {
  const entrance = { token: 'enrol_x', pattern: '*' }
  const told = run(shellAgent(entrance, setting).replace('packages/agent/manc-agent.sh', 'env')).split('\n')
  expect(told).toContain('MANC_ENROLMENT_TOKEN=enrol_x')
  expect(told.some((line) => /^MANC_(AP_ID|PASSWORD)=/.test(line))).toBe(false)
})

it.each([
  ['*', undefined],
  ['ap-*', undefined],
  ['wifi-*', 'wifi-1'],
  ['*-hall-*', '1-hall-1'],
  ['ap-7', 'ap-7'],
])('with a token for %s an agent is told the id %s', (pattern, apId) => {
  const entrance = { token: 'enrol_x', pattern }
  expect(idFor(entrance)).toBe(apId)
  const told = run(shellAgent(entrance, setting).replace('packages/agent/manc-agent.sh', 'env')).split('\n')
  expect(told.find((line) => line.startsWith('MANC_AP_ID='))).toBe(apId && `MANC_AP_ID=${apId}`)
  expect(referenceAgent(entrance, setting).includes(`"ap_id": "${apId}"`)).toBe(apId !== undefined)
})

it('agents on one machine have folders of their own', () => {
  const other = { ...own, apId: 'wifi-8' }
  for (const commands of [shellAgent, referenceAgent]) {
    expect(commands(own, setting)).toMatch(/manc-agent[/-]wifi-7/)
    expect(commands(other, setting)).not.toContain('wifi-7')
  }
})

it('the settings of the reference agent are JSON', () => {
  const script = referenceAgent(own, setting)
    .replace('cat >manc-agent-wifi-7.json', 'cat')
    .replace(/\nnode .*/, '')
  expect(JSON.parse(run(script))).toEqual({
    url: setting.url,
    ap_id: own.apId,
    password: own.password,
    state_folder: './manc-agent-wifi-7',
    configuration: setting.configuration,
  })
})

it('what is published is JSON, to topics of its own', () => {
  const told = run(mosquitto(own, setting).replaceAll('mosquitto_pub', 'printf "%s\\n"')).split('\n')
  expect(told).toContain('agent/wifi-7/onboard')
  expect(told).toContain(JSON.stringify(setting.configuration))
  const sample = told[told.indexOf('agent/wifi-7/data') + 2] ?? ''
  expect(JSON.parse(sample)).toEqual({ ts: expect.any(Number), payload: { clients: 7 } })
})

it.each([
  ['broker.test:1884', '-h broker.test -p 1884'],
  ['broker.test', '-h broker.test -p 1883'],
  ['[2001:db8::1]:8883', '-h 2001:db8::1 -p 8883 --capath'],
])('the broker may be %s', (broker, words) => {
  expect(mosquitto(own, { ...setting, broker })).toContain(words)
})
