import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { admin, closedPort, serverVariables, sqlAt, tokenOf, type Variables } from '@manc/harness'
import { createFleet, type FleetAgent, type LoadBalancer, startLoadBalancer } from '@manc/harness/load'
import { type EngineSet, type NodeName, startSet } from '../../../../tools/engines/index.ts'
import { brokers, health, stores } from './health.ts'
import { Network, type Party } from './network.ts'
import { type ServerName, Servers } from './servers.ts'
import type { SmallDisk } from './small-disk.ts'
import { progress, waitFor } from './wait.ts'

/** How long a cluster may take until it is whole again after a fault. */
const healthyS = 120

/** A cluster of engines, and two processes of each role behind load balancers. */
export class Deployment {
  readonly engines: EngineSet
  readonly network = new Network()
  readonly servers: Servers
  readonly folder: string
  /** With the data of nodes that were moved to one. */
  readonly disks = new Map<NodeName, SmallDisk>()
  readonly #variables: Variables
  readonly #balancers: LoadBalancer[] = []
  /** The process with the agents of the current configuration. */
  agents: Party = { name: 'agents', pids: [], ports: [] }
  /** Over the MQTT listeners of all brokers. */
  mqttUrl = ''
  /** Over both processes of the role api. */
  apiUrl = ''

  private constructor(engines: EngineSet, variables: Variables, folder: string) {
    this.engines = engines
    this.folder = folder
    this.#variables = variables
    this.servers = new Servers(variables, folder)
  }

  static async start(): Promise<Deployment> {
    const engines = await startSet({ name: 'chaos', ephemeral: true, cluster: true, log: progress })
    const folder = mkdtempSync(path.join(tmpdir(), 'manc-chaos-'))
    const deployment = new Deployment(engines, variablesOf(engines), folder)
    try {
      await deployment.#startServers()
      return deployment
    } catch (error) {
      await deployment.stop()
      throw error
    }
  }

  /** The database that takes writes now, which a client of one host can use. */
  async databaseUrl(): Promise<string> {
    return this.engines.urlsOf(await this.engines.primary()).postgres
  }

  async createAgents(prefix: string, count: number): Promise<FleetAgent[]> {
    return createFleet({ ...this.#variables, MANC_DATABASE_URL: await this.databaseUrl() }, prefix, count)
  }

  /** Either api may be waiting for the database still. */
  adminToken(): Promise<string> {
    return waitFor('the administrator can log in', 60, () =>
      tokenOf(this.servers.apiUrls[0] ?? '', 'user', admin.username, admin.password),
    )
  }

  /** An engine node or a server process, for faults of the network. */
  party(name: NodeName | ServerName): Party {
    return this.servers.has(name) ? this.servers.party(name) : { name, ...this.engines.inspect(name) }
  }

  /** Several nodes that others connect to. */
  parties(name: string, nodes: readonly NodeName[]): Party {
    const all = nodes.map((node) => this.engines.inspect(node))
    return { name, pids: all.flatMap(({ pids }) => pids), ports: all.flatMap(({ ports }) => ports) }
  }

  /** Waits until every node and process works, and no store misses samples. */
  async untilHealthy(): Promise<void> {
    for (const [what, isMet] of Object.entries(health(this))) await waitFor(what, healthyS, isMet)
  }

  async sql(text: string): Promise<any[]> {
    return (await sqlAt(await this.databaseUrl(), text)).rows
  }

  async stop(): Promise<void> {
    this.network.heal()
    await this.servers.stop()
    for (const balancer of this.#balancers) await balancer.stop()
    for (const disk of this.disks.values()) disk.unmount()
    await this.engines.down()
    this.network.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #startServers(): Promise<void> {
    const balance = async (urls: readonly string[], port?: number) => {
      const balancer = await startLoadBalancer(port)
      this.#balancers.push(balancer)
      for (const url of urls) balancer.add({ url })
      return balancer.url
    }
    const apiPorts = [await closedPort(), await closedPort()]
    const internalPorts = [await closedPort(), await closedPort()]
    const local = (ports: readonly number[]) => ports.map((port) => `http://127.0.0.1:${port}`)
    // The brokers authenticate agents at either api.
    await balance(local(internalPorts), this.engines.ports.internal)
    this.apiUrl = await balance(local(apiPorts))
    const mqtt = brokers.map((node) => this.engines.urlsOf(node).mqtt)
    this.mqttUrl = (await balance(mqtt)).replace('http', 'mqtt')
    await this.servers.startAll(apiPorts, internalPorts, this.apiUrl)
    // The stores are new. Without this, a copy of the whole history would begin in ten minutes.
    await this.sql('delete from metrics_gaps')
  }
}

function variablesOf(engines: EngineSet): Variables {
  return {
    ...serverVariables(engines.urls),
    MANC_VICTORIA_URL: stores.map((node) => engines.urlsOf(node).victoria).join(','),
    MANC_LOG_LEVEL: 'info',
    MANC_RATE_AGENT_PER_MINUTE: '100000',
    MANC_RATE_CALLER_PER_MINUTE: '100000',
    MANC_RATE_ANONYMOUS_PER_MINUTE: '100000',
    MANC_LOGINS_PER_MINUTE: '1000',
    // Every command has ended soon after a fault.
    MANC_COMMAND_SECONDS: '20',
    MANC_COMMAND_DELIVERY_SECONDS: '5',
    MANC_COMMAND_RESULT_SECONDS: '20',
  }
}
