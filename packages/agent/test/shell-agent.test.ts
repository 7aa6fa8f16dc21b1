import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AgentEnvironment, AgentProcess, agentFolder, soon } from '@manc/harness/agent-process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openWrtPrograms } from './peers/openwrt-programs.ts'

const apId = 'shell-1'
const names = ['cpu_load_pct', 'memory_usage_pct', 'uptime_s', 'throughput_mbps']
const quick = { ...soon, timeout: 90_000 }

let environment: AgentEnvironment
let folder: string
let device: AgentProcess | undefined

beforeAll(async () => {
  environment = await AgentEnvironment.open()
  folder = mkdtempSync(path.join(tmpdir(), 'manc-shell-'))
})

afterEach(async () => {
  await device?.stop('SIGKILL')
})

afterAll(async () => {
  await environment?.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(more: Record<string, string>, state = apId): AgentProcess {
  device = new AgentProcess(['/bin/sh', path.join(agentFolder, 'manc-agent.sh')], {
    MANC_URL: environment.server.url,
    MANC_AP_ID: state,
    MANC_INTERVAL: '1',
    MANC_STATE: path.join(folder, state),
    ...more,
  })
  return device
}

const read = (name: string, state = apId) => readFileSync(path.join(folder, state, name), 'utf8')
const uptimes = async () => (await environment.readings(apId, ['uptime_s']))[0] ?? []

describe('the shell agent', () => {
  it('registers itself with an enrolment token, and its metrics can be read from the controller', async () => {
    const enrolmentToken = await environment.enrolmentToken('shell-*')
    start({
      MANC_ENROLMENT_TOKEN: enrolmentToken,
      MANC_CONFIGURATION: '{"technology": "WiFi"}',
    })
    await expect
      .poll(async () => (await environment.readings(apId, names)).map(({ length }) => length > 1), soon)
      .toEqual(names.map(() => true))
    const here = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'))
    expect(Math.abs(here - ((await uptimes()).at(-1) ?? 0))).toBeLessThan(30)
    expect((await environment.request('GET', `/agents/${apId}`)).body.configuration).toEqual({
      telemetry_interval_s: 1,
      commands: [],
      technology: 'WiFi',
    })
    expect(statSync(path.join(folder, apId, 'password')).mode & 0o777).toBe(0o600)
    expect(read('password')).toMatch(/^[0-9a-f]{64}$/)
    expect(await device?.stop()).toBe(0)
    for (const secret of [enrolmentToken, read('password')]) expect(device?.output).not.toContain(secret)
  }, 240_000)

  it('keeps its credentials across a restart, and delivers samples that were not accepted before', async () => {
    const kept = await environment.whileServerIsDown(async () => {
      start({})
      await expect.poll(() => device?.output, quick).toContain('delivery failed')
      await expect.poll(() => read('waiting').trim().split('\n').length, quick).toBeGreaterThan(3)
      return read('waiting')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).payload.uptime_s as number)
    })
    await expect.poll(uptimes, quick).toEqual(expect.arrayContaining(kept))
    await expect.poll(() => read('waiting').length, quick).toBeLessThan(1000)
  }, 240_000)

  it('logs in again when its token is no longer valid', async () => {
    start({ MANC_PASSWORD: read('password') })
    await expect.poll(() => device?.output, quick).toContain(`logged in as ${apId}`)
    // Setting a password, even the same, revokes the agent's tokens.
    await environment.request('PUT', `/agents/${apId}`, { password: 'another' })
    await expect.poll(() => device?.output, quick).toContain('delivery failed: 401')
    await environment.request('PUT', `/agents/${apId}`, { password: read('password') })
    const before = (await uptimes()).length
    await expect.poll(async () => (await uptimes()).length, quick).toBeGreaterThan(before + 3)
  }, 240_000)

  it('removes samples that the controller rejects for good', async () => {
    appendFileSync(path.join(folder, apId, 'waiting'), '{"ts":1,"payload":{"old":1}}\n{"torn":\n')
    start({})
    await expect.poll(() => device?.output, quick).toContain('rejected: {"torn":')
    expect(device?.output).toContain('rejected: {"ts":1,')
    await expect.poll(() => read('waiting'), quick).toBe('')
  }, 240_000)

  it.each([
    ['names', 'shell-6', 'lo'],
    ['a program that prints them', 'shell-7', path.join(agentFolder, 'test/peers/cards.sh')],
  ])(
    'counts the bytes of the interfaces of MANC_CARDS: %s',
    async (_kind, state, cards) => {
      start({ MANC_URL: 'http://127.0.0.1:1', MANC_PASSWORD: 'p', MANC_CARDS: cards }, state)
      await expect.poll(() => read('waiting', state), quick).toContain('throughput_mbps')
      // On this interface, unlike on others, what is sent is received.
      const isLoopback = () => {
        const [, received, sent] = read('before', state).split(' ')
        return Number(received) > 0 && received === sent
      }
      await expect.poll(isLoopback, quick).toBe(true)
    },
    240_000,
  )

  it('keeps no more unsent samples than MANC_KEEP', async () => {
    start(
      { MANC_URL: 'http://127.0.0.1:1', MANC_PASSWORD: 'p', MANC_KEEP: '3', MANC_INTERVAL: '0' },
      'shell-2',
    )
    await expect.poll(() => device?.output, quick).toContain('3 samples unsent')
    const lines = () => read('waiting', 'shell-2').trim().split('\n').length
    expect(lines()).toBeLessThanOrEqual(4)
  }, 240_000)

  it('does not write its log into the unsent samples when it is stopped', async () => {
    for (let stops = 0; stops < 15; stops += 1) {
      start({ MANC_URL: 'http://127.0.0.1:1', MANC_PASSWORD: 'p', MANC_INTERVAL: '0' }, 'shell-4')
      await expect.poll(() => device?.output, quick).toContain('delivery failed')
      expect(await device?.stop()).toBe(0)
      expect(device?.output).toContain('stopped')
    }
    expect(read('waiting', 'shell-4')).not.toMatch(/^[^{]/m)
  }, 240_000)

  it('does not show its password in the list of processes', async () => {
    const sockets: Socket[] = []
    // A server that never responds, so that curl is still running when the processes are listed.
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {})))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    start({ MANC_URL: `http://127.0.0.1:${port}`, MANC_PASSWORD: 'hidden-password' }, 'shell-3')
    await expect.poll(() => sockets.length, quick).toBe(1)
    const commandLines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => commandLine(pid))
    expect(commandLines.filter((line) => line.includes(`127.0.0.1:${port}`))).toHaveLength(1)
    expect(commandLines.join('\n')).not.toContain('hidden-password')
    for (const socket of sockets) socket.destroy()
    silent.close()
  }, 240_000)

  it('runs with the programs of OpenWrt, and sends what another program prints', async () => {
    const programs = path.join(folder, 'programs')
    openWrtPrograms(programs, { ubus: 'ubus-cli.sh' })
    const identity = path.join(folder, 'identity')
    start(
      {
        MANC_ENROLMENT_TOKEN: await environment.enrolmentToken('shell-5'),
        MANC_IDENTITY: identity,
        MANC_CARDS: path.join(agentFolder, 'openwrt/files/usr/libexec/manc-agent-cards'),
        MANC_MORE: path.join(agentFolder, 'openwrt/files/usr/libexec/manc-agent-wifi'),
        PATH: programs,
      },
      'shell-5',
    )
    const wifi = () => environment.readings('shell-5', ['clients', 'rssi_dbm', 'load_pct'])
    await expect.poll(async () => (await wifi()).map(([value]) => value), quick).toEqual([3, -60, 30])
    expect(readdirSync(identity).toSorted()).toEqual(['password', 'registered'])
    expect(readFileSync(path.join(identity, 'password'), 'utf8')).toMatch(/^[0-9a-f]{64}$/)
    // Not beside the samples, which are in memory there.
    expect(readdirSync(path.join(folder, 'shell-5'))).not.toContain('password')
  }, 240_000)
})

/** Empty if the process has exited meanwhile. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
