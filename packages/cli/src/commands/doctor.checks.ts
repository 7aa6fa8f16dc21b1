import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as dialTls } from 'node:tls'
import type { Command } from 'commander'
import { span } from '../output/text.ts'
import { connect, type Globals, tokenOf } from '../profile.ts'

export interface Finding {
  state: 'ok' | 'warn' | 'fail'
  found: string
  /** What to do about it. */
  next?: string
}

export interface Check {
  name: string
  /** Without these it would only say the same once more. */
  needs: string[]
  run: () => Promise<Finding[]>
}

const withinMs = 5000
/** Tokens and samples bear times: beyond this, they are taken for too old or too new. */
const mostSkewMs = 30_000

export function checksOf(command: Command, url: URL, options: { mqtt?: string; agent?: string }): Check[] {
  const { mqtt, agent } = options
  return [
    { name: 'name', needs: [], run: () => checkName(url) },
    {
      name: 'connection',
      needs: ['name'],
      run: () => checkPort(url, 'Is the controller running, and is the port right?'),
    },
    { name: 'controller', needs: ['name', 'connection'], run: () => checkHealth(url) },
    { name: 'engines', needs: ['controller'], run: () => checkEngines(url) },
    { name: 'clock', needs: ['controller'], run: () => checkClock(url) },
    { name: 'login', needs: ['controller'], run: () => checkLogin(command) },
    { name: 'results', needs: ['controller', 'login'], run: () => checkSocket(command) },
    ...(agent === undefined
      ? []
      : [{ name: 'telemetry', needs: ['controller', 'login'], run: () => checkTelemetry(command, agent) }]),
    ...(mqtt === undefined ? [] : [{ name: 'MQTT', needs: [], run: () => checkMqtt(mqtt) }]),
  ]
}

async function checkName({ hostname }: URL): Promise<Finding[]> {
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
    return [{ state: 'ok', found: `${hostname} is ${address}` }]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [
      {
        state: 'fail',
        found: `${hostname} has no address (${code})`,
        next: 'Check the spelling of the address, and DNS.',
      },
    ]
  }
}

const ports: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'mqtt:': 1883,
  'mqtts:': 8883,
  'ws:': 80,
  'wss:': 443,
}

async function checkPort(url: URL, next: string): Promise<Finding[]> {
  const port = Number(url.port) || (ports[url.protocol] ?? 0)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = ['https:', 'mqtts:', 'wss:'].includes(url.protocol)
  const startedAt = performance.now()
  const socket = isTls ? dialTls({ host, port, servername: host }) : dial({ host, port })
  const { promise, resolve } = Promise.withResolvers<Finding>()
  socket.once(isTls ? 'secureConnect' : 'connect', () =>
    resolve({
      state: 'ok',
      found: `port ${port} answers after ${Math.round(performance.now() - startedAt)} ms`,
    }),
  )
  socket.once('error', (error: NodeJS.ErrnoException) =>
    resolve({
      state: 'fail',
      found: `port ${port} of ${host}: ${error.code ?? error.message}`,
      next: error.code?.includes('CERT')
        ? 'Trust its certificate here: set NODE_EXTRA_CA_CERTS=ca.pem.'
        : next,
    }),
  )
  socket.setTimeout(withinMs, () =>
    resolve({ state: 'fail', found: `port ${port} of ${host} does not answer`, next }),
  )
  const finding = await promise
  socket.destroy()
  return [finding]
}

const get = (url: URL, path: string) => fetch(new URL(path, url), { signal: AbortSignal.timeout(withinMs) })

async function checkHealth(url: URL): Promise<Finding[]> {
  const answer = await get(url, '/healthz')
  const text = await answer.text()
  if (answer.ok && text.includes('"ok"'))
    return [{ state: 'ok', found: `${url.origin} is a controller, and lives` }]
  return [
    {
      state: 'fail',
      found: `${url.origin}/healthz answers ${answer.status}, which a controller does not`,
      next: 'Check the address; if a proxy is before the controller, that it passes everything on.',
    },
  ]
}

/** What works without each of them, for whoever has to decide how soon to act. */
const without: Record<string, string> = {
  postgres: 'nothing works. Start PostgreSQL, and check MANC_DATABASE_URL',
  rabbitmq: 'no telemetry comes in, and jobs wait. Start RabbitMQ, and check MANC_RABBITMQ_URL',
  victoriametrics:
    'telemetry is kept in the queues, and none can be read. Start VictoriaMetrics, and check MANC_VICTORIA_URL',
}

async function checkEngines(url: URL): Promise<Finding[]> {
  const answer = await get(url, '/readyz')
  const { engines } = (await answer.json()) as { engines: Record<string, string> }
  return Object.entries(engines).map(([name, state]) =>
    state === 'up'
      ? { state: 'ok', found: `${name} is up` }
      : {
          state: answer.ok ? 'warn' : 'fail',
          found: `${name} is down`,
          next: `Without it ${without[name] ?? 'some of the interface does not work. Look at the log'}.`,
        },
  )
}

async function checkClock(url: URL): Promise<Finding[]> {
  const before = Date.now()
  const answer = await get(url, '/healthz')
  await answer.text()
  const theirs = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return [{ state: 'warn', found: 'the controller does not tell its time' }]
  // Whole seconds, of a moment in between.
  const skewMs = Math.max(0, Math.abs(theirs + 500 - (before + Date.now()) / 2) - 500)
  if (skewMs < mostSkewMs)
    return [{ state: 'ok', found: `differs by less than ${Math.max(1, Math.ceil(skewMs / 1000))} s` }]
  return [
    {
      state: 'warn',
      found: `differs from ours by ${span(skewMs / 1000)}`,
      next: 'Set both clocks (NTP): logins and samples bear times.',
    },
  ]
}

async function checkLogin(command: Command): Promise<Finding[]> {
  const token = tokenOf(command.optsWithGlobals<Globals>())
  if (!token) return [{ state: 'warn', found: 'you are not logged in', next: 'Run: manc login' }]
  const manc = await connect(command)
  // Whoever it is may ask for their own jobs.
  await manc.jobs.list().next()
  const left = Number.isFinite(token.expiresAt)
    ? `, for another ${span((token.expiresAt - Date.now()) / 1000)}`
    : ''
  return [{ state: 'ok', found: `the token is good${left}` }]
}

/** A letter to ourselves: through PostgreSQL, the broker's wake-up and a WebSocket. */
async function checkSocket(command: Command): Promise<Finding[]> {
  const manc = await connect(command)
  const number = randomUUID()
  const startedAt = performance.now()
  await manc.callbacks.agentDetails(number, [{ from: 'manc doctor' }])
  try {
    await manc.jobs.read(number, { signal: AbortSignal.timeout(withinMs) }).next()
  } catch (error) {
    return [
      {
        state: 'fail',
        found: `a result that was posted could not be read (${(error as Error).message})`,
        next: 'If a proxy is before the controller, have it pass WebSockets on.',
      },
    ]
  }
  return [
    {
      state: 'ok',
      found: `posted, and read through a WebSocket after ${Math.round(performance.now() - startedAt)} ms`,
    },
  ]
}

async function checkTelemetry(command: Command, agent: string): Promise<Finding[]> {
  const manc = await connect(command)
  const value = Math.round(Math.random() * 1e6)
  const startedAt = performance.now()
  await manc.agents.sendUpdate({
    ap_id: agent,
    ts: new Date().toISOString(),
    payload: { manc_doctor: value },
  })
  while (performance.now() - startedAt < withinMs * 2) {
    const { series } = await manc.telemetry.chart(agent, ['manc_doctor'], { window: '1m' })
    if (series[0]?.points.some((point) => point.value === value))
      return [
        { state: 'ok', found: `a sample was readable after ${Math.round(performance.now() - startedAt)} ms` },
      ]
    await sleep(200)
  }
  return [
    {
      state: 'fail',
      found: `a sample was accepted, and not readable after ${withinMs / 500} s`,
      next: 'Check that an ingester runs (MANC_ROLES), and look at its log.',
    },
  ]
}

async function checkMqtt(text: string): Promise<Finding[]> {
  const url = URL.parse(text)
  if (!url || !(url.protocol in ports))
    return [{ state: 'fail', found: `${text} is no address`, next: 'It looks like mqtt://localhost:1883.' }]
  return checkPort(url, 'Is the broker running with its MQTT plugin, and is the port open to here?')
}
