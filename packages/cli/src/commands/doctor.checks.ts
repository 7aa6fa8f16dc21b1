import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect as dial, isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as dialTls } from 'node:tls'
import type { TlsOptions } from '@manc/sdk'
import { fetchWith, tlsAdvice } from '@manc/sdk/tls'
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
  /** Checks that have to pass first; otherwise this one would report the same fault. */
  needs: string[]
  run: () => Promise<Finding[]>
}

interface Options {
  mqtt?: string
  agent?: string
  tls: TlsOptions | undefined
}

const timeoutMs = 5000
/** Tokens and samples contain times, which are refused if they differ by more. */
const maxSkewMs = 30_000

export function checksOf(command: Command, url: URL, options: Options): Check[] {
  const { mqtt, agent, tls } = options
  return [
    { name: 'name', needs: [], run: () => checkName(url) },
    {
      name: 'connection',
      needs: ['name'],
      run: () => checkPort(url, tls, 'Check that the controller is running, and the port.'),
    },
    { name: 'controller', needs: ['name', 'connection'], run: () => checkHealth(url, tls) },
    { name: 'engines', needs: ['controller'], run: () => checkEngines(url, tls) },
    { name: 'clock', needs: ['controller'], run: () => checkClock(url, tls) },
    { name: 'login', needs: ['controller'], run: () => checkLogin(command) },
    { name: 'results', needs: ['controller', 'login'], run: () => checkSocket(command) },
    ...(agent === undefined
      ? []
      : [{ name: 'telemetry', needs: ['controller', 'login'], run: () => checkTelemetry(command, agent) }]),
    ...(mqtt === undefined ? [] : [{ name: 'MQTT', needs: [], run: () => checkMqtt(mqtt, tls) }]),
  ]
}

async function checkName({ hostname }: URL): Promise<Finding[]> {
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
    return [{ state: 'ok', found: `${hostname} resolves to ${address}` }]
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

async function checkPort(url: URL, tls: TlsOptions | undefined, next: string): Promise<Finding[]> {
  const port = Number(url.port) || (ports[url.protocol] ?? 0)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = ['https:', 'mqtts:', 'wss:'].includes(url.protocol)
  const startedAt = performance.now()
  const socket = isTls
    ? dialTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...tls })
    : dial({ host, port })
  const { promise, resolve } = Promise.withResolvers<Finding>()
  socket.once(isTls ? 'secureConnect' : 'connect', () =>
    resolve({
      state: 'ok',
      found: `port ${port} responds after ${Math.round(performance.now() - startedAt)} ms`,
    }),
  )
  socket.once('error', (error: NodeJS.ErrnoException) =>
    resolve({
      state: 'fail',
      found: `port ${port} of ${host}: ${error.code ?? error.message}`,
      next: tlsAdvice(error) ?? next,
    }),
  )
  socket.setTimeout(timeoutMs, () =>
    resolve({ state: 'fail', found: `port ${port} of ${host} does not respond`, next }),
  )
  const finding = await promise
  socket.destroy()
  return [finding]
}

const get = (url: URL, tls: TlsOptions | undefined, path: string) =>
  fetchWith(tls)(new URL(path, url), { signal: AbortSignal.timeout(timeoutMs) })

async function checkHealth(url: URL, tls: TlsOptions | undefined): Promise<Finding[]> {
  const response = await get(url, tls, '/healthz')
  const text = await response.text()
  if (response.ok && text.includes('"ok"'))
    return [{ state: 'ok', found: `${url.origin} is a running controller` }]
  return [
    {
      state: 'fail',
      found: `${url.origin}/healthz responds with ${response.status}, which is not a controller`,
      next: 'Check the address, and that a proxy in front of the controller forwards all paths.',
    },
  ]
}

/** Effect of an outage of each engine. */
const without: Record<string, string> = {
  postgres: 'nothing works. Start PostgreSQL, and check MANC_DATABASE_URL',
  rabbitmq: 'no telemetry is received, and jobs wait. Start RabbitMQ, and check MANC_RABBITMQ_URL',
  victoriametrics:
    'telemetry stays in the queues and cannot be read. Start VictoriaMetrics, and check MANC_VICTORIA_URL',
}

/** Several metrics stores are numbered. */
function nextFor(engine: string): string {
  if (/^victoriametrics-\d+$/.test(engine))
    return 'The other metrics stores go on without it. Start it: the numbers follow the order of MANC_VICTORIA_URL.'
  return `Without it ${without[engine] ?? 'some operations do not work. Check the log'}.`
}

async function checkEngines(url: URL, tls: TlsOptions | undefined): Promise<Finding[]> {
  const response = await get(url, tls, '/readyz')
  const { engines } = (await response.json()) as { engines: Record<string, string> }
  return Object.entries(engines).map(([name, state]) =>
    state === 'up'
      ? { state: 'ok', found: `${name} is up` }
      : {
          state: response.ok ? 'warn' : 'fail',
          found: `${name} is down`,
          next: nextFor(name),
        },
  )
}

async function checkClock(url: URL, tls: TlsOptions | undefined): Promise<Finding[]> {
  const before = Date.now()
  const response = await get(url, tls, '/healthz')
  await response.text()
  const theirs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return [{ state: 'warn', found: 'the controller sends no Date header' }]
  // The header has whole seconds, and was written between the two readings.
  const skewMs = Math.max(0, Math.abs(theirs + 500 - (before + Date.now()) / 2) - 500)
  if (skewMs < maxSkewMs)
    return [{ state: 'ok', found: `differs by less than ${Math.max(1, Math.ceil(skewMs / 1000))} s` }]
  return [
    {
      state: 'warn',
      found: `differs from this computer by ${span(skewMs / 1000)}`,
      next: 'Synchronise both clocks (NTP): logins and samples contain times.',
    },
  ]
}

async function checkLogin(command: Command): Promise<Finding[]> {
  const token = tokenOf(command.optsWithGlobals<Globals>())
  if (!token) return [{ state: 'warn', found: 'you are not logged in', next: 'Run: manc login' }]
  const manc = await connect(command)
  // Every kind of caller may list its own jobs.
  await manc.jobs.list().next()
  const left = Number.isFinite(token.expiresAt)
    ? `, for another ${span((token.expiresAt - Date.now()) / 1000)}`
    : ''
  return [{ state: 'ok', found: `the token is valid${left}` }]
}

/** Sends a result to this program: through PostgreSQL, the broker and a WebSocket. */
async function checkSocket(command: Command): Promise<Finding[]> {
  const manc = await connect(command)
  const number = randomUUID()
  const startedAt = performance.now()
  try {
    await manc.callbacks.agentDetails(number, [{ from: 'manc doctor' }])
  } catch (error) {
    const { NotAllowed } = await import('@manc/sdk')
    if (!(error instanceof NotAllowed)) throw error
    const found = 'not checked: this account may not post results'
    return [{ state: 'warn', found, next: 'Log in as an administrator and run it again.' }]
  }
  try {
    await manc.jobs.read(number, { signal: AbortSignal.timeout(timeoutMs) }).next()
  } catch (error) {
    return [
      {
        state: 'fail',
        found: `a posted result could not be read (${(error as Error).message})`,
        next: 'Check that a proxy in front of the controller forwards WebSockets.',
      },
    ]
  }
  return [
    {
      state: 'ok',
      found: `a result was posted and read through a WebSocket after ${Math.round(performance.now() - startedAt)} ms`,
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
  while (performance.now() - startedAt < timeoutMs * 2) {
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
      found: `a sample was accepted, but is not readable after ${timeoutMs / 500} s`,
      next: 'Check that an ingester is running (MANC_ROLES), and its log.',
    },
  ]
}

async function checkMqtt(text: string, tls: TlsOptions | undefined): Promise<Finding[]> {
  const url = URL.parse(text)
  if (!url || !(url.protocol in ports))
    return [{ state: 'fail', found: `${text} is not a URL`, next: 'Use one like mqtt://localhost:1883.' }]
  return checkPort(
    url,
    tls,
    'Check that the broker is running with its MQTT plugin, and that the port is open.',
  )
}
