import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  admin,
  closedPort,
  createEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import {
  createFleet,
  createJobRequests,
  type FleetAgent,
  type LoadProcess,
  startLoad,
} from '@manc/harness/load'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'

export const processNames = ['api1', 'api2', 'subscriber1', 'subscriber2', 'ingester1', 'ingester2'] as const
export type ProcessName = (typeof processNames)[number]

const agents = 64
const metricsPerSample = 50

/** Engines and two replicas of each role, as processes. */
export class Installation {
  readonly engines: EngineSet
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'manc-installation-'))
  readonly #variables: Variables
  readonly #ports: Record<ProcessName, { public: string; internal: string }>
  readonly #processes = new Map<ProcessName, ServerProcess>()
  #load: LoadProcess | undefined
  #fleet: FleetAgent[] = []

  static async start(more: Variables): Promise<Installation> {
    const engines = await startSet({ name: 'alerts', ephemeral: true })
    const { variables } = await createEnvironment(engines.urls)
    const ports = await Promise.all(
      processNames.map(async (name) => {
        // RabbitMQ authenticates agents at this port.
        const internal = name === 'api1' ? engines.ports.internal : await closedPort()
        return [name, { public: String(await closedPort()), internal: String(internal) }] as const
      }),
    )
    const installation = new Installation(
      engines,
      { ...variables, MANC_RABBITMQ_URL: engines.urls.rabbitmq, ...more },
      Object.fromEntries(ports) as Record<ProcessName, { public: string; internal: string }>,
    )
    for (const name of processNames) await installation.startProcess(name)
    return installation
  }

  private constructor(
    engines: EngineSet,
    variables: Variables,
    ports: Record<ProcessName, { public: string; internal: string }>,
  ) {
    this.engines = engines
    this.#variables = variables
    this.#ports = ports
  }

  /** Also again, with other settings. Subscribers post results to api2. */
  async startProcess(name: ProcessName, more: Variables = {}): Promise<void> {
    const server = await startServerProcess({
      ...this.#variables,
      MANC_ROLES: name.slice(0, -1),
      MANC_PORT: this.#ports[name].public,
      MANC_INTERNAL_PORT: this.#ports[name].internal,
      MANC_API_URL: this.url('api2'),
      ...more,
    })
    // Faults cause many log lines, which would all be kept.
    server.process.stdout?.removeAllListeners('data').resume()
    this.#processes.set(name, server)
  }

  async stopProcess(name: ProcessName, signal: NodeJS.Signals): Promise<void> {
    await this.#process(name).stop(signal)
  }

  signal(name: ProcessName, signal: NodeJS.Signals): void {
    this.#process(name).process.kill(signal)
  }

  url(name: ProcessName): string {
    return `http://127.0.0.1:${this.#ports[name].public}`
  }

  internalUrl(name: ProcessName): string {
    return `http://127.0.0.1:${this.#ports[name].internal}`
  }

  get databaseUrl(): string {
    return this.#variables['MANC_DATABASE_URL'] ?? ''
  }

  /** Of all processes, by name. */
  get targets(): Record<string, string> {
    return Object.fromEntries(processNames.map((name) => [name, `127.0.0.1:${this.#ports[name].internal}`]))
  }

  adminToken(): Promise<string> {
    return tokenOf(this.url('api1'), 'user', admin.username, admin.password)
  }

  /** Agents that send a sample a second over MQTT, until the end. */
  async startTelemetry(): Promise<void> {
    this.#fleet = await createFleet(this.#variables, 'sending', agents)
    this.#load = startLoad({
      mqttUrl: this.engines.urls.mqtt,
      httpUrls: [],
      overMqtt: this.#fleet,
      metrics: metricsPerSample,
      intervalMs: 1000,
      seconds: 3600,
      sampleLog: path.join(this.#folder, 'samples'),
    })
    await this.#load.connected
  }

  /** Agents that do not send by themselves. */
  createAgents(prefix: string, count: number): Promise<FleetAgent[]> {
    return createFleet(this.#variables, prefix, count)
  }

  /** The paths of a job with a result of 300 kB. */
  async largeJobPath(): Promise<string> {
    const [{ path: route }] = await createJobRequests(this.#variables)
    return route
  }

  async stop(): Promise<void> {
    this.#load?.kill()
    for (const server of this.#processes.values()) {
      server.process.kill('SIGCONT')
      await server.stop('SIGKILL')
    }
    await this.engines.down()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #process(name: ProcessName): ServerProcess {
    const server = this.#processes.get(name)
    if (!server) throw new Error(`${name} was not started`)
    return server
  }
}
