import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AgentEnvironment, AgentProcess, agentFolder, soon } from '@manc/harness/agent-process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const names = ['cpu_load_pct', 'memory_usage_pct', 'uptime_s', 'throughput_mbps', 'tcp_connections']

let environment: AgentEnvironment
let folder: string
const devices: AgentProcess[] = []

beforeAll(async () => {
  environment = await AgentEnvironment.open()
  folder = mkdtempSync(path.join(tmpdir(), 'manc-device-'))
})

afterEach(async () => {
  for (const device of devices.splice(0)) await device.stop('SIGKILL')
})

afterAll(async () => {
  await environment?.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(apId: string, settings: object, args: string[] = []): AgentProcess {
  const file = path.join(folder, `${apId}.json`)
  const all = {
    url: environment.server.url,
    ap_id: apId,
    state_folder: path.join(folder, apId),
    interval_s: 1,
    ...settings,
  }
  writeFileSync(file, JSON.stringify(all))
  const device = new AgentProcess([
    process.execPath,
    path.join(agentFolder, 'src/main.ts'),
    '--settings',
    file,
    ...args,
  ])
  devices.push(device)
  return device
}

const identityOf = (apId: string) => path.join(folder, apId, 'identity.json')
const passwordOf = (apId: string): string => JSON.parse(readFileSync(identityOf(apId), 'utf8')).password

const more = {
  plugins: [path.join(agentFolder, 'examples')],
  configuration: { technology: 'WiFi', geolocation: { latitude: 51.4545, longitude: -2.5879 } },
  commands: { who: { run: ['/usr/bin/id', '-u'] } },
}

describe.each(['mqtt', 'http'])('the reference agent, over %s', (channel) => {
  const apId = `ref-${channel}`
  const over = () => (channel === 'mqtt' ? { mqtt_url: environment.engines.mqtt } : {})
  let enrolmentToken: string

  it('registers itself with an enrolment token, and its metrics can be read from the controller', async () => {
    enrolmentToken = await environment.enrolmentToken(apId)
    const device = start(apId, { ...over(), ...more, enrolment_token: enrolmentToken })
    await expect
      .poll(async () => (await environment.readings(apId, names)).map(({ length }) => length > 1), soon)
      .toEqual(names.map(() => true))
    const [load = [], memory = [], uptime = []] = await environment.readings(apId, names)
    for (const pct of [...load, ...memory]) expect(pct).toBeLessThanOrEqual(100)
    expect(memory[0]).toBeGreaterThan(0)
    const here = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'))
    expect(Math.abs(here - (uptime.at(-1) ?? 0))).toBeLessThan(30)
    expect((await environment.request('GET', `/agents/${apId}`)).body.configuration).toEqual({
      software_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ...more.configuration,
      telemetry_interval_s: 1,
      commands: ['report', 'who'],
    })
    expect(statSync(identityOf(apId)).mode & 0o777).toBe(0o600)
    expect(await device.stop()).toBe(0)
    for (const secret of [enrolmentToken, passwordOf(apId)]) expect(device.output).not.toContain(secret)
    for (const source of ['network', 'connections'])
      expect(device.output).toContain(`"source available" source=${source}`)
  }, 240_000)

  it('keeps its credentials across a restart, and executes only allowed commands', async () => {
    start(apId, { ...over(), ...more })
    const result = await environment.command(apId, 'who')
    expect(result).toMatchObject({ status: 200, state: 'succeeded' })
    expect(await environment.command(apId, 'report')).toMatchObject({ state: 'succeeded' })
    // First the controller rejects it, by the list in the configuration; without the list, the agent does.
    expect(await environment.command(apId, 'reboot')).toMatchObject({ status: 400 })
    await environment.request('PUT', `/agents/${apId}`, { configuration: {} })
    expect(await environment.command(apId, 'reboot')).toMatchObject({
      status: 200,
      state: 'failed',
      detail: 'Command not allowed. Allowed: report, who.',
    })
  }, 240_000)

  it('logs in if it is registered but did not save that', async () => {
    const identity = JSON.parse(readFileSync(identityOf(apId), 'utf8'))
    writeFileSync(identityOf(apId), JSON.stringify({ ...identity, isRegistered: false }))
    // The first registration used up the token.
    const device = start(apId, { ...over(), enrolment_token: enrolmentToken }, ['--once'])
    expect(await device.ended()).toBe(0)
    expect(device.output).toContain(`"registered" ap_id=${apId}`)
    expect(passwordOf(apId)).toBe(identity.password)
  }, 240_000)

  it('delivers its samples after it was killed while the controller was down', async () => {
    const samples = path.join(folder, apId, 'samples', '0000000001.samples')
    await environment.whileServerIsDown(async () => {
      const first = start(apId, over())
      await expect.poll(() => readOr(samples).split('\n').length, soon).toBeGreaterThan(3)
      await first.stop('SIGKILL')
    })
    const kept = readOr(samples)
      .split('\n')
      .filter((line) => line.startsWith('+'))
      .map((line) => JSON.parse(line.slice(line.indexOf(' '))).payload.uptime_s as number)
    const second = start(apId, over())
    await expect
      .poll(async () => (await environment.readings(apId, ['uptime_s']))[0] ?? [], soon)
      .toEqual(expect.arrayContaining(kept))
    expect(await second.stop()).toBe(0)
  }, 240_000)
})

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

describe('the reference agent', () => {
  it('logs what to do when its enrolment token is not accepted', async () => {
    const device = start('stranger', { enrolment_token: 'enrol_nonsense' })
    await expect.poll(() => device.output, soon).toContain('make another token for this ap_id')
    expect(device.output).not.toContain('enrol_nonsense')
  })

  it('can be stopped with --once while it cannot register', async () => {
    const device = start('stranger', { enrolment_token: 'enrol_nonsense' }, ['--once'])
    await expect.poll(() => device.output, soon).toContain('make another token for this ap_id')
    expect(await device.stop()).toBe(1)
    expect(device.output).toContain('"stopped"')
  })

  it('prints what to do when it has no credentials or invalid settings', async () => {
    const unregistered = start('unregistered', {})
    expect(await unregistered.ended()).toBe(2)
    expect(unregistered.output).toContain('Write an enrolment_token to the settings')
    const invalid = start('unregistered', { interval_s: 'often' })
    expect(await invalid.ended()).toBe(2)
    expect(invalid.output).toContain('interval_s is invalid. Write seconds')
  })

  it('prints what it would send with check, without a controller', async () => {
    const device = start('checked', { url: 'http://127.0.0.1:1' }, ['check'])
    expect(await device.ended()).toBe(0)
    expect(device.output).toContain('"source available" source=cpu')
    expect(device.output).toMatch(/^checked  linux  this machine$/m)
    expect(device.output).toMatch(/^  memory_usage_pct +[\d.]+ +%$/m)
    expect(device.output).toMatch(/^  throughput_mbps +[\d.]+ +Mbit\/s +throughput_mbps$/m)
    expect(device.output).toContain('Commands: report')
  })

  it('exits with 1 after --once if the controller cannot be reached, and keeps the sample', async () => {
    const device = start('once', { url: 'http://127.0.0.1:1', password: 'p' }, ['--once'])
    expect(await device.ended()).toBe(1)
    expect(device.output).toContain('"stopped" waiting=1')
    expect(device.output).toContain('The controller cannot be reached')
  }, 240_000)
})
