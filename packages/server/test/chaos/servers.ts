import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { call, type ServerProcess, startServerProcess, type Variables } from '@manc/harness'
import type { Party } from './network.ts'
import { waitFor, within } from './wait.ts'

export const serverNames = ['api1', 'api2', 'subscriber1', 'subscriber2', 'ingester1', 'ingester2'] as const
export type ServerName = (typeof serverNames)[number]

const fakeTimeLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const startS = 60

/** Two processes of each role. A process that is started again has the ports that it had before. */
export class Servers {
  readonly #variables: Variables
  readonly #folder: string
  readonly #own = new Map<ServerName, Variables>()
  readonly #running = new Map<ServerName, ServerProcess>()

  constructor(variables: Variables, folder: string) {
    this.#variables = variables
    this.#folder = folder
  }

  async startAll(apiPorts: readonly number[], internalPorts: readonly number[], apiUrl: string) {
    for (const [n, name] of (['api1', 'api2'] as const).entries())
      this.#own.set(name, {
        MANC_ROLES: 'api',
        MANC_PORT: String(apiPorts[n]),
        MANC_INTERNAL_PORT: String(internalPorts[n]),
      })
    for (const name of ['subscriber1', 'subscriber2'] as const)
      this.#own.set(name, { MANC_ROLES: 'subscriber', MANC_API_URL: apiUrl })
    for (const name of ['ingester1', 'ingester2'] as const) this.#own.set(name, { MANC_ROLES: 'ingester' })
    // The first migrates the database.
    await this.start('api1')
    await Promise.all(serverNames.filter((name) => name !== 'api1').map((name) => this.start(name)))
  }

  get apiUrls(): string[] {
    return (['api1', 'api2'] as const).map((name) => this.get(name).url)
  }

  has(name: string): name is ServerName {
    return (serverNames as readonly string[]).includes(name)
  }

  get(name: ServerName): ServerProcess {
    const server = this.#running.get(name)
    if (!server) throw new Error(`${name} was not started`)
    return server
  }

  party(name: ServerName): Party {
    const { pid, url, internalUrl } = this.get(name)
    const ports = [url, internalUrl].filter((each) => each !== '').map((each) => Number(new URL(each).port))
    return { name, pids: [pid], ports }
  }

  async start(name: ServerName, more: Variables = {}): Promise<void> {
    const variables = { ...this.#variables, ...this.#own.get(name), ...more }
    this.#running.set(name, await within(`${name} is ready`, startS, startServerProcess(variables)))
  }

  /** SIGKILL, or SIGTERM for a process that is to finish its work. */
  async end(name: ServerName, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await within(`${name} has ended after ${signal}`, startS, this.get(name).stop(signal))
  }

  signal(name: ServerName, signal: NodeJS.Signals): void {
    this.get(name).process.kill(signal)
  }

  /** Starts it again with a clock that `setClock` changes. */
  async restartWithClock(name: ServerName): Promise<void> {
    if (!existsSync(fakeTimeLibrary))
      throw new Error('Clocks are changed with libfaketime. Install it: apt-get install faketime')
    await this.end(name, 'SIGTERM')
    this.setClock(name, 0)
    await this.start(name, {
      LD_PRELOAD: fakeTimeLibrary,
      FAKETIME_TIMESTAMP_FILE: this.#clockFile(name),
      // Reads the file once a second.
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    })
  }

  setClock(name: ServerName, seconds: number): void {
    writeFileSync(this.#clockFile(name), `${seconds < 0 ? '' : '+'}${seconds}s`)
  }

  /** As the process itself tells it. */
  async untilClock(name: ServerName, seconds: number): Promise<void> {
    await waitFor(`the clock of ${name} is off by ${seconds} s`, 10, async () => {
      const { headers } = await call(this.get(name).internalUrl, 'GET', '/healthz')
      const offS = (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000
      return Math.abs(offS - seconds) < 5
    })
  }

  /** What must not have happened to a process: it ended by itself, or lost track of an error. */
  problems(): string[] {
    return [...this.#running].flatMap(([name, server]) => {
      const fatal = server
        .output()
        .split('\n')
        .find((line) => /unhandled|uncaught|"level":60/i.test(line))
      const ended = server.process.exitCode ?? server.process.signalCode
      return [
        ...(ended === null ? [] : [`${name} ended with ${ended}`]),
        ...(fatal === undefined ? [] : [`${name} logged ${fatal.slice(0, 300)}`]),
      ]
    })
  }

  /** What the processes have logged, for the analysis of a violation. */
  logs(): Map<ServerName, string> {
    return new Map([...this.#running].map(([name, server]) => [name, server.output()]))
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map((server) => server.stop('SIGKILL')))
  }

  #clockFile(name: ServerName): string {
    return path.join(this.#folder, `clock-${name}`)
  }
}
