import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Alarm, NetworkEvent } from '@manc/contract'
import {
  admin,
  call,
  closedPort,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { Vmalert } from '@manc/harness/vmalert-process'
import { NotificationSinks } from './notification-sinks.ts'

export interface EmulatedSpec {
  access_point_type: string
  num_access_points: number
  num_devices: number
  duration: number
  scenario: string
}

export interface Emulation {
  job_number: string
  /** In the order of the specs. */
  agents: string[]
}

/** A controller with vmalert and an emulator, each as a process, and receivers of its notifications. */
export class ScenarioSite {
  readonly #environment: IsolatedEnvironment
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'manc-scenarios-'))
  readonly #vmalert: Vmalert
  readonly #port: number
  readonly sinks: NotificationSinks
  #server: ServerProcess | undefined
  #emulator: EmulatorProcess | undefined
  #token = ''

  private constructor(environment: IsolatedEnvironment, port: number, sinks: NotificationSinks) {
    this.#environment = environment
    this.#port = port
    this.sinks = sinks
    Object.assign(environment.variables, {
      ...sinks.variables,
      MANC_ROLES: 'api,subscriber,ingester',
      MANC_PORT: String(port),
      MANC_VMALERT_RULES_PATH: path.join(this.#folder, 'rules.yml'),
      MANC_ALARM_INTERVAL_SECONDS: '1',
      MANC_ALARM_LOOKBACK_SECONDS: '10',
      MANC_LOG_LEVEL: 'info',
    })
    this.#vmalert = new Vmalert({
      rules: path.join(this.#folder, 'rules.yml'),
      victoria: environment.engines.victoria,
      notifier: `http://127.0.0.1:${environment.variables['MANC_INTERNAL_PORT']}`,
    })
  }

  static async start(environment: IsolatedEnvironment): Promise<ScenarioSite> {
    const site = new ScenarioSite(environment, await closedPort(), await NotificationSinks.start())
    await site.startServer()
    site.#token = await tokenOf(site.url, 'user', admin.username, admin.password)
    await registerEmulatorApp(site.url, site.#token)
    site.#emulator = startEmulator(site.url, environment)
    // Scenarios are shorter than the durations of these.
    await environment.sql('update alarm_rules set is_enabled = false where is_builtin')
    await site.sinks.createRoutes((...request) => site.request(...request))
    await site.#vmalert.start()
    return site
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async startServer(): Promise<void> {
    this.#server = await startServerProcess(this.#environment.variables)
  }

  async stopServer(signal: NodeJS.Signals): Promise<void> {
    await this.#server?.stop(signal)
  }

  async stop(): Promise<void> {
    this.#emulator?.process.kill('SIGKILL')
    await this.#vmalert.stop('SIGKILL')
    await this.#server?.stop('SIGKILL')
    await this.sinks.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async request(method: string, route: string, body?: object): Promise<any> {
    const answer = await call(this.url, method, `/api/v1${route}`, {
      token: this.#token,
      ...(body && { body }),
    })
    if (answer.status !== 200)
      throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async createRule(rule: { name: string; metric: string } & Record<string, unknown>): Promise<void> {
    await this.request('POST', '/alarm_rules', {
      severity: 'warning',
      raise_for_s: 4,
      clear_for_s: 4,
      ...rule,
    })
  }

  /** Each spec at a place of its own, more than a kilometre apart: clients do not move between them. */
  emulate(specs: readonly EmulatedSpec[], seed: string): Promise<Emulation> {
    const emulators = specs.map((spec, n) => ({ locations: [`51.4545,${-2.5879 + n / 50}`], seed, ...spec }))
    return this.request('POST', '/emulator/spinup', { emulators })
  }

  async command(apId: string, command: string): Promise<void> {
    const query = new URLSearchParams({ agent_id: apId, command })
    await this.request('POST', `/send_command?${query.toString()}`)
  }

  async alarmsOf(apId: string): Promise<Alarm[]> {
    return (await this.request('GET', `/alarms?state=all&ap_id=${apId}`)) as Alarm[]
  }

  /** `rule state`, in the order of the names of the rules. */
  async states(apId: string): Promise<string[]> {
    const alarms = await this.alarmsOf(apId)
    return alarms.map(({ rule, state, clear_reason: reason }) => `${rule} ${reason ?? state}`).toSorted()
  }

  /** Events of alarms, by the name of the rule. */
  async events(apId: string): Promise<string[]> {
    const events = (await this.request('GET', `/events?ap_id=${apId}&limit=1000`)) as NetworkEvent[]
    return events
      .filter(({ kind }) => kind.startsWith('alarm_'))
      .map(({ kind, data }) => `${String(data['rule'])} ${kind}`)
      .toSorted()
  }
}
