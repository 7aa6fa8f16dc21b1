/**
 * `npm run screenshots`: every page of the console, light and dark, on a desktop and on a phone, into docs/screenshots.
 * Starts engines and a controller of its own, with a network that has history and faults, and stops them at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { attachSet } from '../engines/index.ts'
import { freePort } from '../free-port.ts'
import { campusMap } from './campus.ts'
import { type Prepared, prepare } from './prepare.ts'
import { takeAll } from './take.ts'

const help = `npm run screenshots: pictures of every page of the console, in docs/screenshots

  npm run screenshots                              all pictures; takes about ten minutes
  npm run screenshots -- --only network,alarm      those whose names begin so
  npm run screenshots -- --keep                    keeps the controller running until Ctrl-C
  npm run screenshots -- --again                   from the controller that --keep has left running in another terminal`

const root = path.join(import.meta.dirname, '../..')
const setName = 'screenshots'
const folder = path.join(root, '.engines', setName)
const preparedFile = path.join(folder, 'prepared.json')
const admin = 'admin@manc.local'
const startTimeoutMs = 10 * 60_000

interface Network {
  url: string
  prepared: Prepared
}

const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
    again: { type: 'boolean' },
  },
})

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

async function main(): Promise<void> {
  if (flags.help) return console.log(help)
  if (flags.again) {
    const network = JSON.parse(readFileSync(preparedFile, 'utf8')) as Network
    return takeAll({ ...network, credentials: credentials(), only: flags.only })
  }
  const url = `http://localhost:${await freePort()}`
  const controller = startController(url)
  stopping.signal.addEventListener('abort', () => controller.kill('SIGTERM'))
  try {
    await untilReady(url, controller)
    const set = attachSet(setName)
    const prepared = await prepare({
      url,
      admin: credentials(),
      postgresUrl: set.urls.postgres,
      signal: stopping.signal,
    })
    writeFileSync(preparedFile, JSON.stringify({ url, prepared }))
    await takeAll({ url, prepared, credentials: credentials(), only: flags.only })
    if (!flags.keep) return
    console.log(`\n${url} keeps running: ${admin}, password ${credentials().password}. Ctrl-C stops it.`)
    await once(controller)
  } finally {
    stopping.abort()
    await once(controller)
  }
}

/** `npm run dev` with its own, empty data. */
function startController(url: string): ChildProcess {
  mkdirSync(path.join(root, '.engines'), { recursive: true })
  const map = path.join(root, '.engines', `${setName}-map.geojson`)
  writeFileSync(map, JSON.stringify(campusMap()))
  const args = ['tools/dev.ts', '--name', setName, '--fresh', '--port', new URL(url).port]
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MANC_MAP_GEOJSON: map, MANC_MAP_ATTRIBUTION: 'Invented campus' },
  })
}

async function untilReady(url: string, controller: ChildProcess): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const timeout = AbortSignal.any([stopping.signal, AbortSignal.timeout(startTimeoutMs)])
  while (!(await isReady())) {
    if (hasEnded(controller)) throw new Error('The controller did not start: see the lines above.')
    await sleep(500, undefined, { signal: timeout })
  }
}

function credentials(): { username: string; password: string } {
  const { adminPassword } = JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8')) as {
    adminPassword: string
  }
  return { username: admin, password: adminPassword }
}

function once(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

await main().catch((error: Error) => {
  console.error(error.message, error.cause instanceof Error ? `(${error.cause.message})` : '')
  process.exitCode = 1
})
