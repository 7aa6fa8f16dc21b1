import { emulatedApNumber, emulatedLabels } from '@manc/contract'
import type { EmulatedAgent, PartSpec } from '@manc/contract/emulation-parts'
import { AgentMqtt, sampleOf, type TlsOptions } from '@manc/sdk/agent'
import manifest from '../package.json' with { type: 'json' }
import { type Cells, runCommand } from './cell-commands.ts'
import { Cell, type Technology } from './radio/index.ts'

/** What the access points of a part have in common. */
export interface Emulation {
  mqttUrl: string
  url: string
  tls: TlsOptions | undefined
  /** Called for each failed attempt to connect. */
  onTrouble: (error: unknown) => void
  jobNumber: string
  startMs: number
  cells: Cells
}

const disconnectTimeoutMs = 5000
/** Samples that wait for an acknowledgement; more are not sent. */
const backlog = 60

/** One access point: a radio model, and an agent that connects like any other. */
export class EmulatedAccessPoint {
  readonly technology: string
  samples = 0
  commands = 0
  hasFailedToStart = false
  readonly #apId: string
  readonly #endMs: number
  readonly #cell: Cell
  readonly #cells: Cells
  readonly #agent: AgentMqtt
  readonly #configuration: Record<string, unknown>
  #isStopped = false

  constructor(agent: EmulatedAgent, spec: PartSpec, emulation: Emulation) {
    const { mqttUrl, url, tls, onTrouble, jobNumber, startMs, cells } = emulation
    const { access_point_type: technology, num_devices: devices, duration, scenario = 'daily' } = spec
    const { ap_id: apId, password, latitude, longitude } = agent
    const network = spec.seed ?? jobNumber
    this.#apId = apId
    this.#cells = cells
    this.technology = technology
    this.#endMs = startMs + duration * 1000
    this.#cell = new Cell({
      technology: technology as Technology,
      // Without the job number: the same seed gives the same network in another job.
      seed: `${network} ${agent.spec} ${emulatedApNumber(apId)}`,
      network,
      devices,
      latitude,
      longitude,
      scenario,
      startMs,
      durationS: duration,
    })
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
        return runCommand(this.#cell, command, { apId, cells, nowMs: Date.now() })
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
    this.#cells.set(this.#apId, this.#cell)
    await this.#agent.onboard(this.#configuration)
  }

  /** Sends what it measures now. A failed access point measures nothing; a sample that cannot be sent is dropped. */
  send(nowMs: number): void {
    const values = this.#cell.sampleAt(nowMs)
    if (!values) return
    this.#agent.send(sampleOf(values, nowMs)).then(
      () => {
        this.samples += 1
      },
      () => {},
    )
  }

  /** Disconnects within 5 s, also without a broker. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    // Another one of the same id may run here, after its part was lost and taken again.
    if (this.#cells.get(this.#apId) === this.#cell) this.#cells.delete(this.#apId)
    await this.#agent.stop({ withinMs: disconnectTimeoutMs })
  }
}
