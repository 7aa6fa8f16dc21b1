import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closedPort } from '@manc/harness'
import { AgentEnvironment, AgentProcess, agentFolder } from '@manc/harness/agent-process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PeerRadio, UcentralPeer } from './peers/ucentral-device.ts'
import { Certificates } from './ucentral-setup.ts'

const soon = { timeout: 60_000, interval: 200 }
const one = '903cb3bb1c1a'
const two = '903cb3bb1c2b'
const client = '02:00:00:00:aa:01'

let environment: AgentEnvironment
let certificates: Certificates
let folder: string
let gateway: AgentProcess | undefined
const peers: UcentralPeer[] = []

beforeAll(async () => {
  environment = await AgentEnvironment.open()
  certificates = new Certificates()
  folder = mkdtempSync(path.join(tmpdir(), 'manc-ucentral-'))
})

afterAll(async () => {
  for (const peer of peers) peer.stop()
  await gateway?.stop('SIGKILL')
  await environment?.close()
  certificates?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const file = () => path.join(folder, 'gateway.json')
const entry = (apId: string, serial: string) => ({ ap_id: apId, device: { driver: 'ucentral', serial } })

function write(port: number, token: string, accessPoints: object[]): void {
  writeFileSync(
    `${file()}.new`,
    JSON.stringify({
      url: environment.server.url,
      mqtt_url: environment.engines.mqtt,
      state_folder: path.join(folder, 'state'),
      interval_s: 1,
      enrolment_token: token,
      ucentral: { port, ...certificates.settings },
      access_points: accessPoints,
    }),
    { mode: 0o600 },
  )
  renameSync(`${file()}.new`, file())
}

function startPeer(serial: string, port: number, bssid: string): UcentralPeer {
  const { cert, key } = certificates.of(serial)
  const started = UcentralPeer.start({
    port,
    serial,
    ca: certificates.ca.pem,
    cert,
    key,
    radio: new PeerRadio(bssid),
    answer: () => ({ error: 0, text: 'rebooting now' }),
  })
  peers.push(started)
  return started
}

it('access points with uCentral are access points of the controller, also one that is added later', async () => {
  const port = await closedPort()
  const { body } = await environment.request('POST', '/enrolment_tokens', {
    ap_id_pattern: 'wifi-*',
    max_uses: 10,
  })
  const token: string = body.token
  write(port, token, [entry('wifi-1', one)])
  gateway = new AgentProcess([process.execPath, path.join(agentFolder, 'src/main.ts'), '--settings', file()])
  await expect.poll(() => gateway?.output, soon).toContain('listening for access points')
  const first = startPeer(one, port, '02:00:00:00:01:00')
  first.radio.add(client)
  const values = async (apId: string) => (await environment.readings(apId, ['clients']))[0] ?? []
  await expect.poll(() => values('wifi-1'), soon).toContain(1)
  await expect
    .poll(async () => (await environment.request('GET', '/agents/wifi-1/clients')).body.length, soon)
    .toBe(1)
  const { state, detail } = await environment.command('wifi-1', 'reboot')
  expect({ state, detail: JSON.stringify(detail) }).toMatchObject({ state: 'succeeded' })
  expect(first.received.map(({ method }) => method)).toContain('reboot')
  // An access point that is not in the settings is refused, until it is.
  const early = startPeer(two, port, '02:00:00:00:02:00')
  await expect.poll(() => early.closed?.reason, soon).toBe('its serial number is not in the settings')
  expect(gateway.output).toContain(`serial=${two}`)
  write(port, token, [entry('wifi-1', one), entry('wifi-2', two)])
  await expect.poll(() => gateway?.output, soon).toMatch(/"settings applied" access_points=2/)
  startPeer(two, port, '02:00:00:00:02:00')
  await expect.poll(() => values('wifi-2'), soon).toContain(0)
  expect(first.closed).toBeUndefined()
  expect(await gateway.stop()).toBe(0)
  await expect.poll(() => first.closed, soon).toBeDefined()
}, 180_000)

it('check listens for access points, reads them, and says which one is not connected', async () => {
  const port = await closedPort()
  write(port, 'not-used', [entry('wifi-1', one), entry('wifi-2', two)])
  // As an access point does: until it is connected.
  let attempt = startPeer(one, port, '02:00:00:00:01:00')
  const attempts = setInterval(() => {
    if (attempt.closed) attempt = startPeer(one, port, '02:00:00:00:01:00')
  }, 100)
  const check = async () => {
    const checking = new AgentProcess([
      process.execPath,
      path.join(agentFolder, 'src/main.ts'),
      'check',
      file(),
    ])
    return { code: await checking.ended(), output: checking.output }
  }
  // A slow machine may need longer for a connection than a reading waits.
  let { code, output } = await check()
  for (let n = 0; n < 5 && !output.includes('Commands:'); n += 1) ({ code, output } = await check())
  clearInterval(attempts)
  expect(output).toMatch(/^wifi-1 {2}ucentral {2}903cb3bb1c1a$/m)
  expect(output).toMatch(/^ {2}channel +36$/m)
  expect(output).toMatch(/^ {2}Commands: report, reboot, steer_client <client> <ap_id>, /m)
  expect(output).toMatch(/^wifi-2 .*\n {2}FAILED: .*903cb3bb1c2b is not connected/m)
  expect(code).toBe(1)
}, 180_000)
