import type { EmulatedAgent, PartSpec } from '@manc/contract/emulation-parts'
import { AgentMqtt, sampleOf } from '@manc/sdk/agent'
import { type Cells, carryOut } from './command.ts'
import { Cell, type Technology } from './radio/index.ts'

export interface Surroundings {
  mqttUrl: string
  url: string
  jobNumber: string
  beginsAtMs: number
  cells: Cells
}

const leaveWithinMs = 5000

/** One access point: a radio model behind an agent like any other. */
export class EmulatedAccessPoint {
  readonly endsAtMs: number
  readonly technology: string
  samples = 0
  refused = 0
  commands = 0
  readonly #apId: string
  readonly #cell: Cell
  readonly #cells: Cells
  readonly #agent: AgentMqtt
  readonly #configuration: Record<string, unknown>
  #isStopped = false

  constructor(
    agent: EmulatedAgent,
    spec: PartSpec,
    { mqttUrl, url, jobNumber, beginsAtMs, cells }: Surroundings,
  ) {
    const { access_point_type: technology, num_devices: devices, duration, scenario = 'daily', seed } = spec
    const { ap_id: apId, password, latitude, longitude } = agent
    this.#apId = apId
    this.#cells = cells
    this.technology = technology
    this.endsAtMs = beginsAtMs + duration * 1000
    // The same seed, the same network: by its place in it, whatever the job is called.
    const own = `${seed ?? jobNumber} ${agent.spec} ${apId.slice(apId.lastIndexOf('-') + 1)}`
    this.#cell = new Cell({
      technology: technology as Technology,
      seed: own,
      network: seed ?? jobNumber,
      devices,
      latitude,
      longitude,
      scenario,
      startMs: beginsAtMs,
      durationS: duration,
    })
    this.#configuration = {
      technology,
      geolocation: { latitude, longitude },
      telemetry_interval_s: 1,
      devices,
      scenario,
    }
    this.#agent = new AgentMqtt({
      mqttUrl,
      url,
      apId,
      password,
      backlog: 60,
      onCommand: ({ command }) => {
        this.commands += 1
        return carryOut(this.#cell, command, { apId, cells, nowMs: Date.now() })
      },
    })
  }

  get isLive(): boolean {
    return this.#agent.connected
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#agent.start(signal)
    // Stopped while it logged in, when there was nothing to stop yet.
    if (this.#isStopped) return this.#agent.stop()
    this.#cells.set(this.#apId, this.#cell)
    await this.#agent.onboard(this.#configuration)
  }

  /** What it measures now, on its way; nothing while it is dark. */
  send(nowMs: number): void {
    const values = this.#cell.sampleAt(nowMs)
    if (!values) return
    this.#agent.send(sampleOf(values, nowMs)).then(
      () => {
        this.samples += 1
      },
      () => {
        this.refused += 1
      },
    )
  }

  /** Takes its leave; but not for ever, where the broker that would have to answer is gone. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    // Unless it runs anew by now, after its part was lost and taken again.
    if (this.#cells.get(this.#apId) === this.#cell) this.#cells.delete(this.#apId)
    await this.#agent.stop({ withinMs: leaveWithinMs })
  }
}
