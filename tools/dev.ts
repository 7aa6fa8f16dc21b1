/** `npm run dev`: the engines, the server with all roles, an emulator, a mail sink and an administrator, in one command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { EngineError, type EngineSet, startSet } from './engines/index.ts'
import { keepMail, type MailSink, startMailSink } from './mail-sink.ts'

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, '.engines/dev')
const help = `npm run dev: engines, server, emulator, mail sink and an administrator, all private to this folder

  npm run dev                      http://localhost:8080, or a free port where that is taken
  npm run dev -- --port 9000       another port
  npm run dev -- --fresh           forget all data of earlier runs first

Data is kept in .engines/dev. Ctrl-C stops everything.`

interface Secrets {
  tokenKey: string
  dataKey: string
  adminPassword: string
  emulatorKey: string
}

const words = readWords()
if (words.help) {
  console.log(help)
  process.exit(0)
}

try {
  await develop()
} catch (error) {
  console.error(error instanceof EngineError ? error.message : error)
  process.exitCode = 1
}

function readWords(): { help?: boolean; fresh?: boolean; port?: string } {
  try {
    const { values } = parseArgs({
      options: { help: { type: 'boolean' }, fresh: { type: 'boolean' }, port: { type: 'string' } },
    })
    if (values.port !== undefined && !/^\d{1,5}$/.test(values.port))
      throw new Error(`--port takes a number, not ${values.port}.`)
    return values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

async function develop(): Promise<void> {
  const startedAt = Date.now()
  const set = await startEngines()
  const mail = await startMailSink((message, raw) => {
    const file = path.relative(root, keepMail(path.join(folder, 'mail'), raw))
    console.log(`  mail to ${message.to?.[0]?.address ?? '?'}: "${message.subject ?? ''}" is in ${file}`)
  })
  const secrets = ownSecrets()
  const url = `http://localhost:${await choosePort()}`
  // Where the broker asks about agents.
  const internalPort = set.ports.internal
  const server = spawn(process.execPath, [path.join(root, 'packages/server/src/main.ts')], {
    // The channel tells the server when we are gone, however that happened.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C reaches the whole terminal group: the server is to be stopped by us, once, before its engines.
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
      MANC_VICTORIA_URL: set.urls.victoria,
      MANC_SMTP_URL: mail.url,
      MANC_TOKEN_KEY: secrets.tokenKey,
      MANC_DATA_KEY: secrets.dataKey,
      MANC_BOOTSTRAP_ADMIN_USERNAME: 'admin@manc.local',
      MANC_BOOTSTRAP_ADMIN_PASSWORD: secrets.adminPassword,
    },
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  stopOnSignals(set, mail, server, ended)
  await untilReady(`${url}/readyz`, server)
  const emulator = await startEmulator(url, secrets, set)
  server.once('exit', () => emulator.kill('SIGTERM'))
  console.log(`
MANC is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s. Ctrl-C stops it.

  interface       ${url}/api/v1   (documentation: ${url}/docs)
  administrator   admin@manc.local   password: ${secrets.adminPassword}
  health          ${url}/readyz
  metrics         http://localhost:${internalPort}/metrics
  agents          ${set.urls.mqtt}   (MQTT 3.1.1: user name = client id = ap_id)
  broker          ${set.urls.rabbitmqManagement.replace(/\/\/.*@/, '//')}   (npm run engines -- status shows all engines)
  mail            arrives in .engines/dev/mail

Try:
  curl -s '${url}/api/v1/token/?login_type=user' -d username=admin@manc.local -d password=${secrets.adminPassword}
`)
  await ended
}

/** With an app of its own, as any other emulator would have. */
async function startEmulator(url: string, secrets: Secrets, set: EngineSet): Promise<ChildProcess> {
  const administrator = new URLSearchParams({ username: 'admin@manc.local', password: secrets.adminPassword })
  const login = await fetch(`${url}/api/v1/token/?login_type=user`, { method: 'POST', body: administrator })
  const { access_token: token } = (await login.json()) as { access_token?: string }
  const app = {
    app_name: 'emulator',
    api_key: secrets.emulatorKey,
    permissions: { scopes: ['callbacks:post'] },
  }
  // Refused where it is there from an earlier run.
  await fetch(`${url}/api/v1/third_party_apps/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(app),
  })
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

async function startEngines(): Promise<EngineSet> {
  const options = { name: 'dev', owned: true, log: (line: string) => console.log(`  ${line}`) }
  console.log('Starting PostgreSQL, RabbitMQ and VictoriaMetrics …')
  const set = await startSet(options)
  if (!words.fresh) return set
  await set.down({ keepData: false })
  return startSet(options)
}

/** Made at the first start and kept, so that a restart neither ends sessions nor loses API keys. */
function ownSecrets(): Secrets {
  const file = path.join(folder, 'secrets.json')
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>) : {}
  const secrets = {
    tokenKey: randomBytes(32).toString('hex'),
    dataKey: randomBytes(32).toString('hex'),
    adminPassword: randomBytes(12).toString('base64url'),
    emulatorKey: randomBytes(24).toString('base64url'),
    ...known,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

function stopOnSignals(set: EngineSet, mail: MailSink, server: ChildProcess, ended: Promise<void>): void {
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    console.log('\nStopping …')
    server.kill('SIGTERM')
    await Promise.race([ended, sleep(12_000)])
    server.kill('SIGKILL')
    await mail.stop()
    await set.down()
    console.log('Stopped. The data is kept for the next start.')
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  // A server that ends by itself has said why; nothing is left running behind it.
  void ended.then(() => {
    if (!stopping) process.exitCode = 1
    return stop()
  })
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
  if (words.port !== undefined) return Number(words.port)
  return (await isFree(8080)) ? 8080 : freePort()
}

function isFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  )
}

function freePort(): Promise<number> {
  return listenOnce(0)
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, () => {
      const { port: found } = probe.address() as { port: number }
      probe.close(() => resolve(found))
    })
  })
}
