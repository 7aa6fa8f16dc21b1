import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { IsolatedEnvironment } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { afterAll, describe, expect, vi } from 'vitest'
import { CommandLine, type Running } from './command-line.ts'
import { logIn } from './environment.ts'
import { type Act, transcriptOf, Way } from './transcript.ts'
import { networkTranscripts } from './transcript-table.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})

const soon = { timeout: 60_000, interval: 50 }
const line = new CommandLine()
let environment: IsolatedEnvironment
let emulator: ChildProcess
let agents: string[]

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await logIn(line, environment.url)
  const permissions = ['--permissions', '{"scopes": ["callbacks:post"]}']
  const { api_key: key } = await line.json(['apps', 'register', 'emulator', ...permissions])
  emulator = spawn(process.execPath, [path.join(import.meta.dirname, '../../emulator/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: environment.url,
      MANC_MQTT_URL: environment.engines.mqtt,
      MANC_RABBITMQ_URL: environment.engines.rabbitmq,
      MANC_EMULATOR_APP: 'emulator',
      MANC_EMULATOR_KEY: key,
    },
  })
})

afterAll(async () => {
  emulator?.kill('SIGKILL')
  line.close()
})

const all = async (): Promise<string[]> =>
  (await line.json(['agents', 'list'])).map((agent: any) => agent.ap_id)

const seen = (running: Running) => () => stripVTControlCharacters(running.stdout())
const entered = '\u001B[?1049h'
const left = '\u001B[?1049l'

/** Output after the full-screen mode. */
const afterwards = (text: string) => text.slice(text.lastIndexOf(left) + left.length)

describe('manc emulate', () => {
  it('creates a network and reports when it is live', async () => {
    const words = 'emulate --5g 2 --wifi 3 --lifi 2 --at Bristol --duration 10m --scenario steady --seed cli'
    const { code, stdout, stderr } = await line.run(words.split(' '))
    expect([code, stderr]).toEqual([0, '2 5G, 3 WiFi, 2 LiFi: 7 access points starting.\n'])
    expect(stdout).toMatch(/^live +7 of 7 access points after \d+\.\d s$/m)
    expect(stdout).toMatch(/^ends in +9m\d+s$/m)
    const [, job = ''] = /^job +([\da-f]{8})-/m.exec(stdout) ?? []
    agents = (await all()).filter((each) => each.includes(`-${job}-`))
    expect(agents).toHaveLength(7)
  }, 240_000)

  it('shows a progress bar on a terminal, and the emulation continues after Ctrl-C', async () => {
    const running = line.inTerminal('emulate --wifi 40 --at Bath --duration 40s'.split(' '))
    // Polled fast, because it ends when all are live.
    await expect.poll(seen(running), { ...soon, interval: 5 }).toMatch(/█|░/)
    running.child.stdin?.write('\u0003')
    const { code, stdout } = await running.ended
    const [, job] = /continues until its end\. To follow it: manc jobs read (\S+)/.exec(stdout) ?? []
    expect(code).toBe(130)
    expect((await line.json(['jobs', 'get', job ?? ''])).state).toMatch(/running|queued/)
  }, 240_000)

  it('reports missing and invalid options', async () => {
    for (const [words, message] of [
      ['emulate --at Bristol', /number of access points is missing/],
      ['emulate --wifi 2', /position is missing\. Add --at/],
      ['emulate --wifi 2 --at Nowhere-at-all', /neither coordinates nor a known place/],
      ['emulate --wifi 0 --at Bristol', /whole number above 0/],
      ['emulate --wifi 2 --at Bristol --scenario war', /rush_hour/],
    ] as const) {
      const { code, stderr } = await line.run(words.split(' '))
      expect([words, code]).toEqual([words, 2])
      expect(stderr).toMatch(message)
    }
  }, 240_000)
})

describe('manc fleet', () => {
  it('counts access points by technology and state', async () => {
    // Two of each, and more where the network had to be made again.
    const ids = await all()
    const [total, of5g] = ['emu-lifi', 'emu-5g'].map((kind) => ids.filter((id) => id.startsWith(kind)).length)
    expect(Math.min(total ?? 0, of5g ?? 0)).toBeGreaterThanOrEqual(2)
    // On a slow machine some are stale for a moment.
    const counts = async () => (await line.json(['fleet'])).summary.technologies
    await expect
      .poll(counts, soon)
      .toContainEqual(
        expect.objectContaining({ technology: 'LiFi', total, online: total, stale: 0, offline: 0 }),
      )
    await vi.waitFor(async () => {
      const text = await line.must(['fleet', '--once', '--technology', '5G'])
      expect(text).toMatch(new RegExp(String.raw`^5G +${of5g} +${of5g} +0 +0( +\d+){4}$`, 'm'))
      expect(text).toMatch(/^emu-5g-\S+ +5G +online/m)
      expect(text).not.toMatch(/^emu-wifi/m)
    }, soon)
  }, 240_000)

  it('is a live view that keys change and that restores the terminal', async () => {
    const running = line.inTerminal(['fleet'])
    await expect.poll(seen(running), soon).toMatch(/ONLINE, LAST MINUTE/)
    expect(running.stdout()).toContain(entered)
    running.child.stdin?.write('t')
    await expect.poll(seen(running), soon).toContain('technology [5G]')
    running.child.stdin?.write('/no-such-agent\r')
    await expect.poll(seen(running), soon).toContain('No access points found')
    running.child.stdin?.write('q')
    const { code, stdout } = await running.ended
    expect([code, afterwards(stdout)]).toEqual([0, ''])
    expect(stdout).toContain('\u001B[?25h')
  }, 240_000)

  it('restores the terminal when it is terminated by a signal', async () => {
    const running = line.inTerminal(['fleet'])
    await expect.poll(seen(running), soon).toMatch(/ONLINE, LAST MINUTE/)
    running.child.stdin?.write('\u0003')
    expect(afterwards((await running.ended).stdout)).toBe('')
  }, 240_000)
})

describe('manc telemetry chart', () => {
  it('draws live and leaves the last chart on the terminal', async () => {
    const lifi = agents.find((each) => each.startsWith('emu-lifi'))
    const running = line.inTerminal(['telemetry', 'chart', lifi ?? '', 'clients', 'illuminance_lux'])
    await expect.poll(seen(running), soon).toMatch(/Illuminance .*[\u2801-\u28FF]/s)
    running.child.stdin?.write('q')
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stripVTControlCharacters(afterwards(stdout))).toMatch(/^Clients .*[\u2801-\u28FF].*Illuminance/s)
  }, 240_000)
})

describe('manc agents watch', () => {
  it('shows samples as they arrive, as lines, JSON or a board with sparklines', async () => {
    const two = agents.slice(0, 2)
    const lines = (await line.must(['agents', 'watch', ...two, '--count', '3', '--metrics', 'clients']))
      .trim()
      .split('\n')
    expect(lines).toHaveLength(3)
    for (const each of lines) expect(each).toMatch(/^\S+Z {2}emu-5g-\S+ {2}clients=\d+$/)
    const running = line.inTerminal(['agents', 'watch', ...two])
    await expect.poll(seen(running), soon).toMatch(/clients +\d+ +[▁-█]{3}/)
    running.child.stdin?.write('q')
    expect(stripVTControlCharacters(afterwards((await running.ended).stdout))).toMatch(
      /^AGENT +METRIC +VALUE +RECENT/,
    )
  }, 240_000)
})

describe('manc commands', () => {
  it('sends a command to one agent and shows its states and its result', async () => {
    const { code, stdout, stderr } = await line.run(['commands', 'send', agents[0] ?? '', 'power_off'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^ +\d+\.\d s {2}succeeded$/m)
    expect(stdout).toContain('power_off')
    const job = (await line.must(['commands', 'send', agents[0] ?? '', 'power_on', '--no-wait'])).trim()
    await expect
      .poll(async () => (await line.run(['commands', 'status', job])).stdout, soon)
      .toMatch(/^state +succeeded$/m)
  }, 240_000)

  it('show the reason when the agent does not support the command', async () => {
    const { code, stderr } = await line.run(['commands', 'send', agents[0] ?? '', 'dance'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/dance is not known\. There are reboot/)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('sends a command to many agents and lists the result of each', async () => {
    const { code, stdout, stderr } = await line.run(['commands', 'send', '--technology', 'LiFi', 'reboot'])
    const count = (await all()).filter((id) => id.startsWith('emu-lifi')).length
    expect([code, stderr]).toEqual([0, `Sent to ${count} access points.\n`])
    expect(stdout.match(/^emu-lifi-\S+ +succeeded/gm)).toHaveLength(count)
    const outcomes = await line.json([
      'commands',
      'send',
      '--agents',
      agents.slice(0, 2).join(','),
      'set_power',
      '20',
    ])
    expect(outcomes.map(({ state }: any) => state)).toEqual(['succeeded', 'succeeded'])
    const mixed = await line.run(['commands', 'send', '--agents', agents.slice(0, 2).join(','), 'dance'])
    expect([mixed.code, mixed.stderr]).toEqual([
      1,
      expect.stringContaining('2 of 2 access points did not execute the command'),
    ])
    const [{ job_number: job }] = await line.json(['jobs', 'list', '--limit', '1'])
    expect(await line.must(['commands', 'status', job])).toMatch(/^progress +2 failed$/m)
  }, 240_000)
})

describe('output for an emulated network, in pipes and in a terminal', () => {
  it.for(Object.entries<Act[]>(networkTranscripts))(
    'equals its transcript: %s',
    { timeout: 240_000 },
    async ([name, acts]) => {
      const ways = [false, true].map((isTerminal, n) => {
        const way = new Way(isTerminal, environment.url, line)
        // Each way has agents of its own: they must not get in the way of each other.
        way.names.set('AGENT', agents[n * 2] ?? '').set('OTHER', agents[n * 2 + 1] ?? '')
        return way
      })
      try {
        await expect(await transcriptOf(acts, ways)).toMatchFileSnapshot(`transcripts/${name}.txt`)
      } finally {
        for (const way of ways) way.close()
      }
    },
  )
})

describe('manc doctor', () => {
  const words = () => ['doctor', '--agent', agents[0] ?? '', '--mqtt', environment.engines.mqtt]

  it('reports a healthy controller as healthy', async () => {
    const { code, stdout } = await line.run(words())
    expect(code).toBe(0)
    for (const name of [
      'name',
      'connection',
      'controller',
      'engines',
      'clock',
      'login',
      'results',
      'telemetry',
      'MQTT',
    ])
      expect(stdout).toMatch(new RegExp(`^ok {4}${name} `, 'm'))
    expect(stdout).not.toMatch(/^(warn|fail)/m)
  }, 240_000)

  it('names the engine that is down and what to do', async () => {
    await environment.set.stop('victoria')
    try {
      const { code, stdout } = await line.run(['doctor'])
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /^warn {2}engines +victoriametrics is down\n +→ Without it .* Start VictoriaMetrics/m,
      )
      // The health shows the same, with what is not good and with all parts.
      await expect
        .poll(async () => (await line.run(['health'])).stdout, soon)
        .toMatch(/^Controller: bad\nbad {7}Metrics store, since .* ago: It does not answer\./m)
      expect((await line.run(['health', '--all'])).stdout).toMatch(/^good {6}PostgreSQL/m)
      const { controller } = await line.json(['health'])
      expect(controller).toMatchObject({ state: 'bad', processes: [{ is_alive: true }] })
    } finally {
      await environment.set.start('victoria')
    }
  }, 240_000)

  it('stops at the first problem', async () => {
    const away = await line.run(['doctor', '--url', 'http://127.0.0.1:1', '--mqtt', 'mqtt://127.0.0.1:1'])
    expect(away.code).toBe(1)
    expect(away.stdout).toMatch(
      /^fail {2}connection +port 1 of 127\.0\.0\.1: ECONNREFUSED\n +→ Check that the controller is running/m,
    )
    expect(away.stdout).toMatch(/^fail {2}MQTT/m)
    expect(away.stdout).not.toContain('engines')
    const other = await line.run(['doctor', '--url', new URL(environment.engines.victoria).origin])
    expect(other.stdout).toMatch(/^fail {2}controller .* which is not a controller/m)
    const nowhere = await line
      .json(['doctor', '--url', 'http://nowhere.invalid'])
      .catch((error: Error) => error.message)
    expect(nowhere).toContain('nowhere.invalid has no address')
  }, 240_000)
})
