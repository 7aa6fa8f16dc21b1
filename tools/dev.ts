/**
 * `npm run dev`: the engines, the server with all roles, an emulator, a mail sink and an administrator, in one command.
 * `npm run demo`: the same with an emulated network. `npm run lab`: the same with real devices that need no hardware.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Manc, MancError, NotFound, type ThirdPartyAppCreate } from '@manc/sdk'
import { buildConsole } from './console.ts'
import { advisor, guidedTour, keepNetwork, startNetwork, steering } from './demo.ts'
import { help, readFlags } from './dev-flags.ts'
import { attachSet, EngineError, type EngineSet, startSet } from './engines/index.ts'
import { freePort, isFree } from './free-port.ts'
import { labTour, prepareLab, startLab } from './lab/lab.ts'
import { LabError } from './lab/lab-error.ts'
import { type MailSink, startMailSink, storeMail } from './mail-sink.ts'

const root = path.join(import.meta.dirname, '..')
interface Secrets {
  tokenKey: string
  dataKey: string
  adminPassword: string
  emulatorKey: string
  steeringKey: string
  advisorKey: string
}

const adminName = 'admin@manc.local'
const stopTimeoutMs = 12_000

const flags = readFlags()
/** Of the engines. */
const setName = flags.name ?? defaultName()
const folder = path.join(root, '.engines', setName)
if (flags.help) {
  console.log(help)
  process.exit(0)
}

try {
  await develop()
} catch (error) {
  console.error(isForUser(error) ? error.message : error)
  process.exitCode = 1
  // Stops what has been started so far.
  process.emit('SIGTERM')
}

function defaultName(): string {
  if (flags.lab) return 'lab'
  return flags.cluster ? 'dev-cluster' : 'dev'
}

/** Its message says what to do next. */
function isForUser(error: unknown): error is Error {
  return [EngineError, LabError, MancError].some((kind) => error instanceof kind)
}

async function develop(): Promise<void> {
  const startedAt = Date.now()
  if (flags.lab) await prepareLab()
  const [set] = await Promise.all([startEngines(), buildConsole((line) => console.log(`  ${line}`))])
  const mail = await startMailSink((message, raw) => {
    const file = path.relative(root, storeMail(path.join(folder, 'mail'), raw))
    console.log(`  mail to ${message.to?.[0]?.address ?? '?'}: "${message.subject ?? ''}" is in ${file}`)
  })
  const secrets = ownSecrets()
  const url = `http://localhost:${await choosePort()}`
  // The broker sends its authorisation requests here.
  const internalPort = set.ports.internal
  const server = spawn(process.execPath, [path.join(root, 'packages/server/src/main.ts')], {
    // The server stops when this channel closes, also after a crash of this process.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C reaches the whole process group. This process stops the server once, before the engines.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      MANC_HOST: '127.0.0.1',
      MANC_PORT: new URL(url).port,
      MANC_PUBLIC_URL: url,
      MANC_INTERNAL_PORT: String(internalPort),
      MANC_DATABASE_URL: set.urls.postgres,
      MANC_RABBITMQ_URL: set.urls.rabbitmq,
      MANC_RABBITMQ_MANAGEMENT_URL: set.urls.rabbitmqManagement,
      MANC_VICTORIA_URL: metricsStores(set).join(','),
      MANC_VMALERT_RULES_PATH: set.rulesFile,
      MANC_SMTP_URL: mail.url,
      MANC_TOKEN_KEY: secrets.tokenKey,
      MANC_DATA_KEY: secrets.dataKey,
      MANC_BOOTSTRAP_ADMIN_USERNAME: adminName,
      MANC_BOOTSTRAP_ADMIN_PASSWORD: secrets.adminPassword,
      ...mapSettings(),
      // The demo and the lab print their own progress.
      MANC_LOG_LEVEL: flags.demo || flags.lab ? 'warn' : 'info',
    },
  })
  const children = [server]
  const ended = endOf(server)
  const stopping = stopOnSignals(set, mail, children)
  await untilReady(`${url}/readyz`, server)
  const manc = new Manc({ url, credentials: { username: adminName, password: secrets.adminPassword } })
  children.push(await startEmulator(manc, url, secrets, set))
  const readyAfter = `MANC is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`
  const addresses = `
  console         ${url}
  API             ${url}/api/v1   (documentation: ${url}/docs)
  administrator   ${adminName}   password: ${secrets.adminPassword}
  health          ${url}/readyz
  metrics         http://localhost:${internalPort}/metrics
  agents          ${set.urls.mqtt}   (MQTT 3.1.1: user name = client id = ap_id)
  broker          ${withoutUser(set.urls.rabbitmqManagement)}   (npm run engines -- status shows all engines)
  mail            stored in .engines/${setName}/mail
${flags.cluster ? clusterAddresses(set) : ''}`
  const logIn = `curl -s '${url}/api/v1/token/?login_type=user' -d username=${adminName} -d password=${secrets.adminPassword}`
  if (!flags.demo && !flags.lab) {
    console.log(`\n${readyAfter} Ctrl-C stops it.\n${addresses}\nTry:\n  ${logIn}\n`)
    return ended
  }
  console.log(`\n${readyAfter}`)
  const demo = { manc, file: path.join(folder, 'demo.json'), scenario: flags.scenario, signal: stopping }
  try {
    if (flags.lab) {
      const lab = { manc, url, mqttUrl: set.urls.mqtt, folder, children, signal: stopping }
      const running = await startLab(lab)
      console.log(
        `${addresses}${labTour({ ...running, url, adminName, ...secrets })}\nCtrl-C stops everything.\n`,
      )
      return await ended
    }
    await register(manc, { ...steering, api_key: secrets.steeringKey })
    const inHall = await startNetwork(demo)
    children.push(await startAdvisor(manc, url, secrets, stopping))
    console.log(`${addresses}${guidedTour({ url, adminName, inHall, logIn, ...secrets })}`)
    await keepNetwork(demo)
  } catch (error) {
    if (!stopping.aborted) throw error
  }
}

/** Streets and buildings on maps, from the environment. */
function mapSettings(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MANC_MAP_')))
}

function withoutUser(url: string): string {
  return url.replace(/\/\/.*@/, '//')
}

/** Both are written; see docs/operations/metrics-stores.md. */
function metricsStores(set: EngineSet): string[] {
  if (!flags.cluster) return [set.urls.victoria]
  return [set.urlsOf('victoria-1').victoria, set.urlsOf('victoria-2').victoria]
}

function clusterAddresses(set: EngineSet): string {
  return `
  databases       ${withoutUser(set.urls.postgres)}
  brokers         ${withoutUser(set.urls.rabbitmq)}
  metrics stores  ${metricsStores(set).join(', ')}
`
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** Creates the app, or resets its key where it exists from an earlier run. */
async function register(manc: Manc, app: ThirdPartyAppCreate): Promise<void> {
  const { app_name: name, ...rest } = app
  try {
    await manc.apps.update(name, rest)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    await manc.apps.register(app)
  }
}

/** The emulator logs in as an app with the one scope that it needs. */
async function startEmulator(
  manc: Manc,
  url: string,
  secrets: Secrets,
  set: EngineSet,
): Promise<ChildProcess> {
  const app = {
    app_name: 'emulator',
    api_key: secrets.emulatorKey,
    permissions: { scopes: ['callbacks:post'] },
  }
  await register(manc, app)
  return spawn(process.execPath, [path.join(root, 'packages/emulator/src/main.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: url,
      MANC_MQTT_URL: set.urls.mqtt,
      MANC_RABBITMQ_URL: set.urls.rabbitmq,
      MANC_EMULATOR_APP: app.app_name,
      MANC_EMULATOR_KEY: secrets.emulatorKey,
    },
  })
}

/** It proposes moves of clients, which an operator confirms on the page Decisions. */
async function startAdvisor(
  manc: Manc,
  url: string,
  { advisorKey }: Secrets,
  stopping: AbortSignal,
): Promise<ChildProcess> {
  await register(manc, { ...advisor, api_key: advisorKey })
  const file = path.join(folder, 'advisor.log')
  const log = openSync(file, 'a', 0o600)
  const child = spawn(process.execPath, [path.join(root, 'packages/advisor/src/app/main.ts')], {
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: url,
      MANC_ADVISOR_APP: advisor.app_name,
      MANC_ADVISOR_KEY: advisorKey,
      MANC_ADVISOR_MODE: 'advise',
    },
  })
  child.once('exit', () => {
    if (!stopping.aborted)
      console.log(`  the advisor has ended; the reason is in ${path.relative(root, file)}`)
  })
  return child
}

async function startEngines(): Promise<EngineSet> {
  const options = {
    name: setName,
    owned: true,
    cluster: flags.cluster ?? false,
    vmalert: true,
    log: (line: string) => console.log(`  ${line}`),
  }
  console.log(
    `Starting ${flags.cluster ? 'clusters of ' : ''}PostgreSQL, RabbitMQ, VictoriaMetrics and vmalert …`,
  )
  if (flags.fresh) await deleteEarlierSet()
  return startSet(options)
}

async function deleteEarlierSet(): Promise<void> {
  let earlier: EngineSet
  try {
    earlier = attachSet(setName)
  } catch (error) {
    // There is none.
    if (error instanceof EngineError) return
    throw error
  }
  await earlier.down({ keepData: false })
}

/** Created at the first start and stored, so that sessions and API keys survive a restart. */
function ownSecrets(): Secrets {
  const file = path.join(folder, 'secrets.json')
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>) : {}
  const secrets = {
    tokenKey: randomBytes(32).toString('hex'),
    dataKey: randomBytes(32).toString('hex'),
    adminPassword: randomBytes(12).toString('base64url'),
    emulatorKey: randomBytes(24).toString('base64url'),
    steeringKey: randomBytes(24).toString('base64url'),
    advisorKey: randomBytes(24).toString('base64url'),
    ...stored,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

/** Stops in reverse order of starting, so that emulated agents disconnect while the server still runs. */
function stopOnSignals(set: EngineSet, mail: MailSink, children: ChildProcess[]): AbortSignal {
  const stopping = new AbortController()
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort()
    console.log('\nStopping …')
    for (const child of children.toReversed()) await stopChild(child)
    await mail.stop()
    await set.down()
    console.log('Stopped. The data is kept for the next start.')
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  // A server that exits has logged the reason. Stop everything else.
  children[0]?.once('exit', () => {
    if (!stopping.signal.aborted) process.exitCode = 1
    void stop()
  })
  return stopping.signal
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = endOf(child)
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(stopTimeoutMs)])
  child.kill('SIGKILL')
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
}

async function choosePort(): Promise<number> {
  if (flags.port !== undefined) return Number(flags.port)
  return (await isFree(8080)) ? 8080 : freePort()
}
