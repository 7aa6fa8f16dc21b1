import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { uniqueName } from '@manc/harness'
import { AgentEnvironment, AgentProcess, agentFolder } from '@manc/harness/agent-process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Exporter } from './peers/exporter.ts'
import { SilentDevice } from './peers/silent-device.ts'

const soon = { timeout: 60_000, interval: 200 }

let environment: AgentEnvironment
let folder: string
let gateway: AgentProcess | undefined
const exporters: Exporter[] = []

beforeAll(async () => {
  environment = await AgentEnvironment.open()
  folder = mkdtempSync(path.join(tmpdir(), 'manc-gateway-'))
  writeFileSync(path.join(folder, 'map.json'), JSON.stringify(map))
})

afterEach(async () => {
  await gateway?.stop('SIGKILL')
  for (const exporter of exporters.splice(0)) await exporter.stop()
})

afterAll(async () => {
  await environment?.close()
  rmSync(folder, { recursive: true, force: true })
})

const map = {
  metrics: { reading: { from: 'reading' }, load_pct: { from: 'load' }, snr_db: { from: 'snr' } },
}

/** A device whose readings count up: the controller must have every number that was read. */
async function device(apId: string, driver: object = {}): Promise<{ entry: object; exporter: Exporter }> {
  const exporter = await Exporter.start(`reading 0\nload 10`)
  exporters.push(exporter)
  const options = {
    driver: 'prometheus',
    urls: [exporter.url],
    map: path.join(folder, 'map.json'),
    ...driver,
  }
  return { entry: { ap_id: apId, device: options }, exporter }
}

const settingsFile = () => path.join(folder, 'gateway.json')

/** Replaces the file in one step, as an editor or a tool of configuration management does. */
function write(accessPoints: object[], more: object = {}): void {
  const settings = {
    url: environment.server.url,
    mqtt_url: environment.engines.mqtt,
    state_folder: path.join(folder, 'state'),
    interval_s: 1,
    timeout_s: 2,
    access_points: accessPoints,
    ...more,
  }
  writeFileSync(`${settingsFile()}.new`, JSON.stringify(settings))
  renameSync(`${settingsFile()}.new`, settingsFile())
}

async function enrolmentToken(): Promise<string> {
  const { body } = await environment.request('POST', '/enrolment_tokens', {
    ap_id_pattern: 'gw-*',
    max_uses: 100,
  })
  return body.token
}

function start(...args: string[]): AgentProcess {
  const program = path.join(agentFolder, 'src/main.ts')
  gateway = new AgentProcess([process.execPath, program, ...args])
  return gateway
}

const readings = async (apId: string, name = 'reading') => (await environment.readings(apId, [name]))[0] ?? []

describe('a gateway', () => {
  it('registers each access point, sends its samples, and executes its commands', async () => {
    const [a, b] = [await device('gw-a'), await device('gw-b')]
    a.exporter.text = 'reading 1\nload 10'
    b.exporter.text = 'reading 2\nload 20'
    const commands = { who: { run: ['/usr/bin/id', '-u'] } }
    write([{ ...a.entry, commands }, b.entry], { enrolment_token: await enrolmentToken() })
    chmodSync(settingsFile(), 0o644)
    const running = start('--settings', settingsFile())
    await expect.poll(() => readings('gw-a'), soon).toContain(1)
    await expect.poll(() => readings('gw-b'), soon).toContain(2)
    expect(await environment.command('gw-a', 'who')).toMatchObject({ state: 'succeeded' })
    expect(await environment.command('gw-b', 'who')).toMatchObject({ status: 400 })
    expect(await environment.command('gw-b', 'report')).toMatchObject({ state: 'succeeded' })
    const identities = ['gw-a', 'gw-b'].map((name) =>
      JSON.parse(readFileSync(path.join(folder, 'state', name, 'identity.json'), 'utf8')),
    )
    expect(identities[0].password).not.toBe(identities[1].password)
    expect(await running.stop()).toBe(0)
    for (const { password } of identities) expect(running.output).not.toContain(password)
    expect(running.output).toContain(`chmod 600 ${settingsFile()}`)
  }, 240_000)

  it('is not delayed by devices that accept connections and never answer', async () => {
    const silent = await SilentDevice.start()
    const { entry, exporter } = await device('gw-quick')
    const hanging = Array.from({ length: 30 }, (_, n) => ({
      ap_id: `gw-silent-${n}`,
      password: 'not-used',
      device: {
        driver: 'prometheus',
        urls: [`http://127.0.0.1:${silent.port}/metrics`],
        map: path.join(folder, 'map.json'),
      },
    }))
    // Fewer slots than devices that hang: they must not keep them.
    write([...hanging, entry], { concurrency: 2, enrolment_token: await enrolmentToken() })
    const running = start('--settings', settingsFile())
    await expect.poll(() => silent.connections, soon).toBeGreaterThanOrEqual(30)
    await expect.poll(() => exporter.requests, soon).toBeGreaterThan(0)
    const before = exporter.requests
    const startedMs = Date.now()
    await expect.poll(() => exporter.requests, soon).toBeGreaterThanOrEqual(before + 5)
    // Five readings at an interval of 1 s, on a busy machine.
    expect(Date.now() - startedMs).toBeLessThan(50_000)
    expect(running.output).toContain('device cannot be read, will retry')
    expect(running.output).toContain('no answer within 2 s')
    await silent.stop()
  }, 240_000)

  it('reloads its settings without touching access points that have not changed', async () => {
    const [a, b, c] = [await device('gw-a'), await device('gw-b'), await device('gw-c')]
    const token = { enrolment_token: await enrolmentToken() }
    write([a.entry, b.entry], token)
    const running = start('--settings', settingsFile())
    const started = (apId: string) =>
      running.output
        .split('\n')
        .filter((line) => line.includes('"started"') && line.includes(`ap_id=${apId}`)).length
    await expect.poll(() => [started('gw-a'), started('gw-b')], soon).toEqual([1, 1])
    // On a change of the file: gw-b is gone, gw-c is new.
    write([a.entry, c.entry], token)
    await expect.poll(() => started('gw-c'), soon).toBe(1)
    const requestsOfB = b.exporter.requests
    const requestsOfA = a.exporter.requests
    await expect.poll(() => a.exporter.requests, soon).toBeGreaterThan(requestsOfA + 3)
    expect(b.exporter.requests).toBe(requestsOfB)
    // Invalid settings change nothing.
    write([a.entry, { ap_id: 'gw-c', device: { driver: 'telnet' } }], token)
    await expect.poll(() => running.output, soon).toContain('access_points[1].device.driver is invalid')
    const requestsOfC = c.exporter.requests
    await expect.poll(() => c.exporter.requests, soon).toBeGreaterThan(requestsOfC)
    // On SIGHUP: gw-c has another interval, and is the only one that starts again.
    write([a.entry, { ...c.entry, interval_s: 2 }], token)
    running.process.kill('SIGHUP')
    await expect.poll(() => started('gw-c'), soon).toBe(2)
    expect(started('gw-a')).toBe(1)
    // On a change of a map.
    writeFileSync(
      path.join(folder, 'map.json'),
      JSON.stringify({ metrics: { ...map.metrics, more: { from: 'load' } } }),
    )
    await expect.poll(() => [started('gw-a'), started('gw-c')], soon).toEqual([2, 3])
    await expect.poll(() => readings('gw-a', 'more'), soon).toContain(10)
    expect(await running.stop()).toBe(0)
  }, 300_000)

  it('loses no sample while the broker restarts', async () => {
    const apId = uniqueName('gw-kept')
    const { entry, exporter } = await device(apId)
    exporter.text = (request) => `reading ${request}\nload 10`
    // A reading that ends by a timeout would be a gap without a lost sample.
    write([entry], { enrolment_token: await enrolmentToken(), timeout_s: 60 })
    const running = start('--settings', settingsFile())
    const stored = async () => (await readings(apId)).toSorted((a, b) => a - b)
    await expect.poll(async () => (await stored()).length, soon).toBeGreaterThan(1)
    await environment.whileBrokerIsDown(async () => {
      const during = exporter.requests
      await expect.poll(() => exporter.requests, soon).toBeGreaterThan(during + 3)
    })
    // One that stops before it is connected again keeps its samples for the next start.
    const after = exporter.requests
    await expect.poll(async () => (await stored()).at(-1), soon).toBeGreaterThan(after + 2)
    expect(await running.stop()).toBe(0)
    // One may have been in progress.
    const last = exporter.requests - 1
    await expect.poll(async () => (await stored()).at(-1), soon).toBeGreaterThanOrEqual(last)
    const all = await stored()
    expect(all).toEqual(Array.from({ length: all.length }, (_, n) => (all[0] ?? 0) + n))
    const samples = path.join(folder, 'state', apId, 'samples')
    expect(readdirSync(samples).filter((name) => name.endsWith('.samples'))).toEqual([])
  }, 300_000)

  it('checks devices without a controller, and sends nothing', async () => {
    const { entry } = await device('gw-a')
    const { exporter, entry: other } = await device('gw-b')
    await exporter.stop()
    exporters.splice(exporters.indexOf(exporter), 1)
    write([entry, other], { url: 'http://127.0.0.1:1' })
    const all = start('check', settingsFile())
    expect(await all.ended()).toBe(1)
    expect(all.output).toMatch(/^gw-a {2}prometheus {2}http:\/\/127\.0\.0\.1:\d+\/metrics$/m)
    expect(all.output).toMatch(/^ {2}load_pct +10 +% +load_pct$/m)
    expect(all.output).toMatch(/^ {2}Missing: snr \(not in the exporter\)$/m)
    expect(all.output).toMatch(/^gw-b .*\n {2}FAILED: .*ECONNREFUSED/m)
    expect(all.output).toContain('1 of 2 access points can be read.')
    const one = start('check', settingsFile(), '--only', 'gw-a')
    expect(await one.ended()).toBe(0)
    expect(one.output).not.toContain('gw-b')
    const none = start('check', settingsFile(), '--only', 'gw-x')
    expect(await none.ended()).toBe(2)
    expect(none.output).toContain('there is no access point "gw-x". There are: gw-a, gw-b')
  }, 240_000)
})
