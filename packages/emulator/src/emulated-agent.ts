import type { EmulatorSpec } from '@manc/contract'
import { AgentMqtt, sampleOf } from '@manc/sdk/agent'
import { carryOut } from './command.ts'
import type { EmulatedAgent } from './message.ts'
import { Cell, type Technology } from './radio/index.ts'

export interface Surroundings {
  mqttUrl: string
  url: string
  jobNumber: string
  beginsAtMs: number
}

/** One access point: a radio model behind an agent like any other. */
export class EmulatedAccessPoint {
  readonly endsAtMs: number
  samples = 0
  refused = 0
  commands = 0
  readonly #cell: Cell
  readonly #agent: AgentMqtt
  readonly #configuration: Record<string, unknown>

  constructor(
    agent: EmulatedAgent,
    spec: Omit<EmulatorSpec, 'locations'>,
    { mqttUrl, url, jobNumber, beginsAtMs }: Surroundings,
  ) {
    const { access_point_type: technology, num_devices: devices, duration, scenario = 'daily', seed } = spec
    const { ap_id: apId, password, latitude, longitude } = agent
    this.endsAtMs = beginsAtMs + duration * 1000
    // The same seed, the same network: by its place in it, whatever the job is called.
    const own = `${seed ?? jobNumber} ${agent.spec} ${apId.slice(apId.lastIndexOf('-') + 1)}`
    this.#cell = new Cell({
      technology: technology as Technology,
      seed: own,
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
        return carryOut(this.#cell, command, Date.now())
      },
    })
  }

  get isLive(): boolean {
    return this.#agent.connected
  }

  async start(): Promise<void> {
    await this.#agent.start()
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

  stop(): Promise<void> {
    return this.#agent.stop()
  }
}
