import { type AgentClientsMessage, emulatedApNumber, emulatedClientPrefix } from '@manc/contract'
import type { PartMessage } from '@manc/contract/emulation-parts'
import { ClientChanges } from './client-changes.ts'
import type { Technology } from './radio/index.ts'
import { type AccessPointSpec, World } from './world/index.ts'

/**
 * A part that is taken later than this after its begin does not compute all seconds since then: attachments depend on the last
 * minutes only.
 */
const maxWarmUpS = 120
/** At most this long at once, so that the connections of the agents are served in between. */
const sliceMs = 15

/** The world of a part, which follows the clock. */
export class PartWorld {
  readonly #message: PartMessage
  readonly #startMs: number
  #world: World | undefined
  #changes: ClientChanges | undefined

  constructor(message: PartMessage) {
    this.#message = message
    this.#startMs = Date.parse(message.data.begins_at)
  }

  /** Computes the seconds up to now, or some of them. False while there are more. */
  advance(nowMs: number): boolean {
    const nowS = this.#secondAt(nowMs)
    const world = this.#begin(nowS)
    const startedAt = performance.now()
    while (world.second < nowS) {
      if (performance.now() - startedAt > sliceMs) return false
      world.step()
      this.#changes?.record()
    }
    return true
  }

  sampleOf(apId: string): Record<string, number> | undefined {
    return this.#world?.sampleOf(apId)
  }

  /** Clients that have changed since the last call, or all that are attached. Undefined where there is nothing to report. */
  clientsOf(apId: string, isSnapshot: boolean): AgentClientsMessage | undefined {
    return this.#changes?.take(apId, isSnapshot)
  }

  command(apId: string, command: string): object {
    const world = this.#begin(this.#secondAt(Date.now()))
    if (world.second < 0) world.step()
    return world.command(apId, command)
  }

  /** The clocks of the controller and of this machine may differ: before its begin, a world is in its first second. */
  #secondAt(nowMs: number): number {
    return Math.max(0, Math.floor((nowMs - this.#startMs) / 1000))
  }

  #begin(nowS: number): World {
    this.#world ??= worldOf(this.#message, nowS > maxWarmUpS ? nowS - maxWarmUpS : 0)
    this.#changes ??= new ClientChanges(this.#world, this.#startMs)
    return this.#world
  }
}

/** One world for all access points of a part, from this second on. */
export function worldOf({ job_number: jobNumber, data }: PartMessage, fromS = 0): World {
  const accessPoints = data.agents.flatMap((agent): AccessPointSpec[] => {
    const spec = data.specs[agent.spec]
    if (!spec) return []
    const { ap_id: id, latitude, longitude } = agent
    const network = spec.seed ?? jobNumber
    const number = emulatedApNumber(id) ?? 0
    return [
      {
        id,
        technology: spec.access_point_type as Technology,
        // Without the job number: the same seed gives the same network in another job.
        seed: `${network} ${agent.spec} ${number}`,
        network,
        latitude,
        longitude,
        floor: spec.access_point_type === '5G' ? 0 : number % (spec.floors ?? 1),
        devices: spec.num_devices,
        scenario: spec.scenario ?? 'daily',
        durationS: spec.duration,
        ...(spec.mobility && { mobility: spec.mobility }),
        ...(spec.client_mix && { mix: spec.client_mix }),
        ...(spec.room_m !== undefined && { roomM: spec.room_m }),
      },
    ]
  })
  const seeds = Object.values(data.specs).map(({ seed = jobNumber }) => seed)
  const clientPrefix = emulatedClientPrefix(jobNumber, data.part)
  const spec = { accessPoints, clientPrefix, startMs: Date.parse(data.begins_at) }
  return new World(spec, seeds.join(' '), { fromS })
}
