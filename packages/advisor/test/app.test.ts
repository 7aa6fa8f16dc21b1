import { admin, type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { type Decision, Manc } from '@manc/sdk'
import { afterAll, afterEach, describe, expect } from 'vitest'
import { type AdvisorProcess, startAdvisor } from './advisor-process.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
  MANC_DECISION_MEASURE_SECONDS: '10',
})
/** Longer than any step takes on a busy machine. */
const soon = { timeout: 150_000, interval: 500 }
const scopes = ['agents:read', 'metrics:read', 'clients:read', 'decisions:read', 'decisions:write']

let environment: IsolatedEnvironment
let manc: Manc
let emulator: EmulatorProcess
const started: AdvisorProcess[] = []

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const token = await tokenOf(environment.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(environment.url, token)
  manc = new Manc({ url: environment.url, credentials: admin })
  emulator = startEmulator(environment.url, environment)
})

afterEach(() => {
  for (const { process: child } of started.splice(0)) child.kill('SIGKILL')
})

afterAll(() => {
  emulator?.process.kill('SIGKILL')
})

/** Two crowded WiFi access points with 5G around them, which is nearly idle. Clients sit. */
async function emulate(devices = 100): Promise<{ pattern: string; jobNumber: string }> {
  const network = [
    { access_point_type: 'WiFi', num_access_points: 2, num_devices: devices, spread_m: 10 },
    { access_point_type: '5G', num_access_points: 4, num_devices: 5, spread_m: 50 },
  ].map((spec) => ({
    ...spec,
    locations: ['51.4586,-2.6025'],
    duration: 900,
    scenario: 'steady' as const,
    mobility: 'sitting' as const,
    client_mix: { video: 1 },
    seed: 'advisor',
  }))
  const emulation = await manc.emulator.spinUp(network)
  for await (const { live } of emulation) if (live === emulation.agents.length) break
  // Patterns of the sandbox continue after the prefix of a technology.
  const pattern = (emulation.agents[0] ?? '').replace(/^emu-wifi-(.*)-\d+$/, 'emu-*$1-*')
  return { pattern, jobNumber: emulation.jobNumber }
}

interface App {
  name: string
  start(more?: Record<string, string>): AdvisorProcess
  decisions(): Promise<Decision[]>
}

/** A registered app for these agents. */
async function register(permissions: object): Promise<App> {
  const name = uniqueName('advisor')
  await manc.apps.register({ app_name: name, api_key: 'a-long-key', permissions: { scopes, ...permissions } })
  return {
    name,
    start: (more = {}) => {
      const process = startAdvisor({
        MANC_API_URL: environment.url,
        MANC_ADVISOR_APP: name,
        MANC_ADVISOR_KEY: 'a-long-key',
        ...more,
      })
      started.push(process)
      return process
    },
    decisions: () => Array.fromAsync(manc.decisions.list({ owner: name })),
  }
}

const hasEnded = ({ commands }: Decision) => commands.every(({ ended_at: at }) => at !== null)
const hasMoved = ({ result }: Decision['commands'][number]) =>
  (result as { moved?: boolean } | null)?.moved === true
const steering = /^steer_client (\S+) (\S+)$/

/** The moves that decisions have made of a client, in the order of time. */
function movesOf(decisions: readonly Decision[], client: string): { from: string; to: string }[] {
  return decisions
    .flatMap(({ commands }) =>
      commands.filter((each) => hasMoved(each) && each.command.includes(` ${client} `)),
    )
    .toSorted((a, b) => Date.parse(a.ended_at ?? '') - Date.parse(b.ended_at ?? ''))
    .map(({ ap_id: from, command }) => ({ from, to: steering.exec(command)?.[2] ?? '' }))
}

/** Where a client was and is: each attachment, the oldest first. */
async function attachmentsOf(client: string): Promise<string[]> {
  const { history, ap_id: current } = await manc.clients.get(client, { history_limit: 1000 })
  return [...history.toReversed().map(({ ap_id: apId }) => apId), current]
}

describe('the advisor in mode advise', () => {
  it('proposes moves; an operator confirms one, the client moves, and the controller measures the effect', async () => {
    const { pattern, jobNumber } = await emulate()
    const app = await register({ agents: [pattern], sandbox: true })
    const advisor = app.start()
    await expect.poll(async () => (await app.decisions()).length, soon).toBeGreaterThan(0)
    const proposals = await app.decisions()
    const [proposal] = proposals as [Decision]
    expect(proposal).toMatchObject({ mode: 'advise', state: 'proposed', policy: 'best-experience' })
    expect(proposal.reason).toMatch(/ is full, load [\d.]+ % with \d+ clients\. \d+ clients? should get /)
    const sources = proposals.map(({ commands }) => commands[0]?.ap_id)
    expect(new Set(sources).size).toBe(sources.length)

    // Started again, it knows its proposals.
    advisor.process.kill('SIGTERM')
    expect([await advisor.ended, advisor.output().trim().endsWith('stopped')]).toEqual([0, true])
    const again = app.start()
    await expect.poll(() => again.output(), soon).toMatch(/decisions of earlier, [1-9]\d* of them wait/)

    const confirmed = await manc.decisions.confirm(proposal.id)
    expect(confirmed.commands.every(({ verdict }) => verdict === 'granted')).toBe(true)
    await expect.poll(async () => hasEnded(await manc.decisions.get(proposal.id)), soon).toBe(true)
    const executed = await manc.decisions.get(proposal.id)
    const moved = executed.commands.find(hasMoved)
    if (!moved) throw new Error(`no client has moved: ${JSON.stringify(executed.commands)}`)
    const [, client = '', to = ''] = steering.exec(moved.command) ?? []
    await expect.poll(async () => (await manc.clients.get(client)).history[0]?.ap_id, soon).toBe(moved.ap_id)
    expect((await attachmentsOf(client)).slice(-2)).toEqual([moved.ap_id, to])
    expect((await Array.fromAsync(manc.decisions.list({ client }))).map(({ id }) => id)).toContain(
      proposal.id,
    )

    await expect.poll(async () => (await manc.decisions.get(proposal.id)).state, soon).toBe('measured')
    const { expected, measured } = await manc.decisions.get(proposal.id)
    const kpisOf = (effects: readonly { ap_id: string; kpi: string }[]) =>
      effects.map(({ ap_id: apId, kpi }) => `${apId} ${kpi}`)
    expect(kpisOf(measured ?? [])).toEqual(kpisOf(expected))
    const clients = measured?.find(({ ap_id: apId, kpi }) => apId === moved.ap_id && kpi === 'clients')
    expect(clients?.after).toBeLessThan(clients?.before ?? 0)
    await expect.poll(() => again.output(), soon).toContain(`${proposal.id} measured: `)

    const open = () => Array.fromAsync(manc.decisions.list({ owner: app.name, state: ['proposed'] }))
    await expect.poll(async () => (await open()).length, soon).toBeGreaterThan(0)
    const [next] = (await open()) as [Decision]
    await manc.decisions.reject(next.id)
    await expect.poll(() => again.output(), soon).toContain(`${next.id} is rejected by ${admin.username}`)
    again.process.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    await manc.emulations.stop(jobNumber)
  }, 600_000)
})

describe('two advisors with different policies in mode act', () => {
  it('get complete and consistent verdicts, and the history of a client is what the decisions say', async () => {
    // More than one decision can relieve.
    const { pattern, jobNumber } = await emulate(300)
    const permissions = { scopes: [...scopes, 'commands:send'], agents: [pattern], sandbox: true }
    const [balancing, best] = [await register(permissions), await register(permissions)]
    const settings = { MANC_ADVISOR_MODE: 'act' }
    const advisors = [
      balancing.start({ ...settings, MANC_ADVISOR_POLICY: 'load-balancing' }),
      best.start({ ...settings, MANC_ADVISOR_POLICY: 'best-experience' }),
    ]
    const all = async () => [...(await balancing.decisions()), ...(await best.decisions())]
    const states = async (app: App) => (await app.decisions()).map(({ state }) => state)
    for (const app of [balancing, best])
      await expect.poll(async () => (await states(app)).some((state) => state !== 'refused'), soon).toBe(true)
    await expect.poll(async () => (await all()).some(({ state }) => state === 'refused'), soon).toBe(true)
    for (const { process: child } of advisors) child.kill('SIGTERM')
    expect(await Promise.all(advisors.map(({ ended }) => ended))).toEqual([0, 0])
    const sent = async () => (await all()).filter(({ state }) => state !== 'refused')
    await expect.poll(async () => (await sent()).every(hasEnded), soon).toBe(true)
    await expect.poll(async () => (await sent()).every(({ measured_at: at }) => at !== null), soon).toBe(true)

    const decisions = await all()
    for (const { state, commands, executed_at: executedAt } of decisions) {
      const verdicts = new Set(commands.map(({ verdict }) => verdict))
      const numbers = commands.filter(({ job_number: number }) => number !== null)
      const isSent = state !== 'refused'
      expect([verdicts.has('held'), verdicts.has('granted'), numbers.length, executedAt !== null]).toEqual([
        !isSent,
        isSent,
        isSent ? commands.length : 0,
        isSent,
      ])
    }
    // Every command that was sent belongs to one decision.
    const recorded = decisions.flatMap(({ commands }) => commands.flatMap((each) => each.job_number ?? []))
    const rows = await environment.sql('select job_number from commands where ap_id like $1', [
      pattern.replaceAll('*', '%'),
    ])
    expect(rows.map((row): string => row.job_number).toSorted()).toEqual(recorded.toSorted())

    // All clients that were moved, and one from its first move on: it sits, so that only decisions move it.
    const clients = new Set(
      decisions.flatMap(({ commands }) =>
        commands.filter(hasMoved).map(({ command }) => steering.exec(command)?.[1] ?? ''),
      ),
    )
    expect(clients.size).toBeGreaterThan(0)
    for (const client of clients) {
      const moves = movesOf(decisions, client)
      const attachments = await attachmentsOf(client)
      for (const { from, to } of moves)
        expect(attachments.some((apId, n) => apId === from && attachments[n + 1] === to)).toBe(true)
    }
    const followed = await firstThatOnlyDecisionsMoved(decisions, clients)
    expect(followed.attachments).toEqual([followed.moves[0]?.from, ...followed.moves.map(({ to }) => to)])
    const about = await Array.fromAsync(manc.decisions.list({ client: followed.client }))
    expect(movesOf(about, followed.client)).toEqual(followed.moves)
    await manc.emulations.stop(jobNumber)
  }, 600_000)

  /** A client at the edge of an access point may also move by itself. */
  async function firstThatOnlyDecisionsMoved(decisions: readonly Decision[], clients: Iterable<string>) {
    for (const client of clients) {
      const moves = movesOf(decisions, client)
      const last = (await attachmentsOf(client)).slice(-moves.length - 1)
      const chain = [moves[0]?.from, ...moves.map(({ to }) => to)]
      if (last.join(' ') === chain.join(' ')) return { client, attachments: last, moves }
    }
    throw new Error('each of the clients has also moved by itself')
  }
})

describe('manc-advisor', () => {
  it('explains its settings, and what is wrong with them', async () => {
    const help = startAdvisor({}, ['--help'])
    expect([await help.ended, help.output().split('\n')[0]]).toEqual([
      0,
      'manc-advisor: moves clients between 5G, WiFi and LiFi and puts access points to sleep, by a policy',
    ])
    expect(help.output()).toContain('best-experience, energy-first, lifi-first, load-balancing')
    const complete = { MANC_API_URL: environment.url, MANC_ADVISOR_APP: 'x', MANC_ADVISOR_KEY: 'y' }
    for (const [more, text] of [
      [{ MANC_ADVISOR_KEY: '' }, 'Set MANC_ADVISOR_KEY, or MANC_ADVISOR_KEY_FILE'],
      [{ MANC_ADVISOR_MODE: 'do' }, 'Set MANC_ADVISOR_MODE to one of watch, advise, act.'],
      [{ MANC_ADVISOR_POLICY: '/nowhere.json' }, 'MANC_ADVISOR_POLICY cannot be read'],
      [{ MANC_ADVISOR_OPEN: '0' }, 'Set MANC_ADVISOR_OPEN to a whole number from 1 to 100.'],
    ] as const) {
      const wrong = startAdvisor({ ...complete, ...more })
      expect([await wrong.ended, wrong.output()]).toEqual([2, expect.stringContaining(text)])
    }
  }, 60_000)

  it('ends if the controller refuses it, with the scopes that it needs', async () => {
    const blind = await register({ scopes: ['agents:read'] })
    const advisor = blind.start()
    expect(await advisor.ended).toBe(1)
    expect(advisor.output()).toContain(`The app needs the scopes ${scopes.join(', ')}.`)
    const wrong = blind.start({ MANC_ADVISOR_KEY: 'wrong' })
    expect(await wrong.ended).toBe(1)
    expect(wrong.output()).toContain('Log in with a valid name and password.')
    expect(wrong.output()).not.toContain('a-long-key')
  }, 60_000)
})
