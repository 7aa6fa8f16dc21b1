import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { idFor, mosquittoCommands, referenceAgentCommands, shellAgentCommands } from './start-commands.ts'

const settings = {
  url: 'https://manc.example.org',
  broker: 'manc.example.org:8883',
  configuration: { technology: 'WiFi', name: "Anna's hall" },
}
const registered = { apId: 'wifi-7', password: 'a-password_1' }

/** Runs the commands in a shell, with the agent replaced by another program. */
const run = (script: string) => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })

it('the shell agent receives its settings unchanged, with quotes in them', () => {
  const script = shellAgentCommands(registered, settings).replace('packages/agent/manc-agent.sh', 'env')
  const output = run(script).split('\n')
  expect(output).toContain('MANC_URL=https://manc.example.org')
  expect(output).toContain('MANC_AP_ID=wifi-7')
  expect(output).toContain('MANC_PASSWORD=a-password_1')
  expect(output).toContain(`MANC_CONFIGURATION=${JSON.stringify(settings.configuration)}`)
})

it('with a token the shell agent gets neither ID nor password', () => {
  const credentials = { token: 'enrol_x', pattern: '*' }
  const output = run(
    shellAgentCommands(credentials, settings).replace('packages/agent/manc-agent.sh', 'env'),
  ).split('\n')
  expect(output).toContain('MANC_ENROLMENT_TOKEN=enrol_x')
  expect(output.some((line) => /^MANC_(AP_ID|PASSWORD)=/.test(line))).toBe(false)
})

it.each([
  ['*', undefined],
  ['ap-*', undefined],
  ['wifi-*', 'wifi-1'],
  ['*-hall-*', '1-hall-1'],
  ['ap-7', 'ap-7'],
])('with a token for %s the agent is configured with the ID %s', (pattern, apId) => {
  const credentials = { token: 'enrol_x', pattern }
  expect(idFor(credentials)).toBe(apId)
  const output = run(
    shellAgentCommands(credentials, settings).replace('packages/agent/manc-agent.sh', 'env'),
  ).split('\n')
  expect(output.find((line) => line.startsWith('MANC_AP_ID='))).toBe(apId && `MANC_AP_ID=${apId}`)
  expect(referenceAgentCommands(credentials, settings).includes(`"ap_id": "${apId}"`)).toBe(
    apId !== undefined,
  )
})

it('two agents on one machine have separate state folders', () => {
  const other = { ...registered, apId: 'wifi-8' }
  for (const commands of [shellAgentCommands, referenceAgentCommands]) {
    expect(commands(registered, settings)).toMatch(/manc-agent[/-]wifi-7/)
    expect(commands(other, settings)).not.toContain('wifi-7')
  }
})

it('the settings of the reference agent are JSON', () => {
  const script = referenceAgentCommands(registered, settings)
    .replace('cat >manc-agent-wifi-7.json', 'cat')
    .replace(/\nnpx .*/, '')
  expect(JSON.parse(run(script))).toEqual({
    url: settings.url,
    ap_id: registered.apId,
    password: registered.password,
    state_folder: './manc-agent-wifi-7',
    configuration: settings.configuration,
  })
})

it('the MQTT commands publish JSON to the topics of the agent', () => {
  const output = run(
    mosquittoCommands(registered, settings).replaceAll('mosquitto_pub', 'printf "%s\\n"'),
  ).split('\n')
  expect(output).toContain('agent/wifi-7/onboard')
  expect(output).toContain(JSON.stringify(settings.configuration))
  const sample = output[output.indexOf('agent/wifi-7/data') + 2] ?? ''
  expect(JSON.parse(sample)).toEqual({ ts: expect.any(Number), payload: { clients: 7 } })
})

it.each([
  ['broker.test:1884', '-h broker.test -p 1884'],
  ['broker.test', '-h broker.test -p 1883'],
  ['[2001:db8::1]:8883', '-h 2001:db8::1 -p 8883 --capath'],
])('the MQTT commands connect to the broker %s', (broker, options) => {
  expect(mosquittoCommands(registered, { ...settings, broker })).toContain(options)
})
