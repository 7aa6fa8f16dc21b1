import { emulatedLabels } from '@manc/contract'
import type { EmulatedAgent, PartSpec } from '@manc/contract/emulation-parts'
import { clientSnapshotS } from '@manc/contract/topics'
import { AgentMqtt, sampleOf, type TlsOptions } from '@manc/sdk/agent'
import manifest from '../package.json' with { type: 'json' }
import type { PartWorld } from './part-world.ts'

/** What the access points of a part have in common. */
export interface Emulation {
  mqttUrl: string
  url: string
  tls: TlsOptions | undefined
  /** Called for each failed attempt to connect. */
  onTrouble: (error: unknown) => void
  startMs: number
  world: PartWorld
}

const disconnectTimeoutMs = 5000
/** Samples that wait for an acknowledgement; more are not sent. */
const backlog = 60
/** Part of the interval by which snapshots are spread. */
const snapshotJitter = 0.25

/** One access point of the world of its part: an agent that connects like any other. */
export class EmulatedAccessPoint {
  readonly technology: string
  samples = 0
  commands = 0
  hasFailedToStart = false
  readonly #apId: string
  readonly #endMs: number
  readonly #world: PartWorld
  readonly #agent: AgentMqtt
  readonly #configuration: Record<string, unknown>
  #isStopped = false
  /** The connection with which all clients were reported. */
  #reportedConnection = 0
  #snapshotDueMs = 0

  constructor(agent: EmulatedAgent, spec: PartSpec, emulation: Emulation) {
    const { mqttUrl, url, tls, onTrouble, startMs, world } = emulation
    const { access_point_type: technology, num_devices: devices, duration, scenario = 'daily' } = spec
    const { ap_id: apId, password, latitude, longitude } = agent
    this.#apId = apId
    this.#world = world
    this.technology = technology
    this.#endMs = startMs + duration * 1000
    this.#configuration = {
      ...emulatedLabels(spec, apId),
      software_version: manifest.version,
      technology,
      geolocation: { latitude, longitude },
      telemetry_interval_s: 1,
      devices,
      scenario,
    }
    this.#agent = new AgentMqtt({
      mqttUrl,
      url,
      ...(tls && { tls }),
      onTrouble,
      apId,
      password,
      backlog,
      onCommand: ({ command }) => {
        this.commands += 1
        return world.command(apId, command)
      },
    })
  }

  get isLive(): boolean {
    return this.#agent.connected
  }

  /** Its duration has passed. */
  get isOver(): boolean {
    return Date.now() >= this.#endMs
  }

  /** Logs in, connects and onboards. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#agent.start(signal)
    // `stop` was called during the login, before there was a connection to close.
    if (this.#isStopped) return this.#agent.stop()
    await this.#agent.onboard(this.#configuration)
  }

  /** Sends what it measures now. A failed access point measures nothing; a sample that cannot be sent is dropped. */
  send(nowMs: number): void {
    const values = this.#world.sampleOf(this.#apId)
    if (!values) {
      // When it measures again, all of its clients may have changed.
      this.#snapshotDueMs = 0
      return
    }
    this.#reportClients(nowMs)
    this.#agent.send(sampleOf(values, nowMs)).then(
      () => {
        this.samples += 1
      },
      () => {},
    )
  }

  /** Changes every second; all clients with each connection and every 20 s. */
  #reportClients(nowMs: number): void {
    const { connections } = this.#agent
    const isSnapshot = connections !== this.#reportedConnection || nowMs >= this.#snapshotDueMs
    const message = this.#world.clientsOf(this.#apId, isSnapshot)
    if (!message) return
    if (message.snapshot) {
      this.#reportedConnection = connections
      this.#snapshotDueMs = nowMs + clientSnapshotS * 1000 * (1 - snapshotJitter * Math.random())
    }
    this.#agent.reportClients(message).catch(() => {
      this.#snapshotDueMs = 0
    })
  }

  /** Disconnects within 5 s, also without a broker. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    await this.#agent.stop({ withinMs: disconnectTimeoutMs })
  }
}
