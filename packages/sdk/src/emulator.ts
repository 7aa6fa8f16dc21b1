import type { EmulationNews, EmulatorSpec } from '@manc/contract'
import { Resource } from './resource.ts'
import { itemsOf, RunningJob } from './running-job.ts'
import { readJob } from './socket.ts'
import type { CallOptions } from './transport.ts'

/** A running emulation. */
export interface Emulation extends RunningJob<EmulationNews> {
  /** Ids of its agents. */
  agents: string[]
  /** When the last of its agents stops. */
  endsAt?: Date
  /** Present if a duration was limited to the maximum of the caller. */
  detail?: string
}

export class Emulator extends Resource {
  /** Starts an emulation. `done()` resolves with its summary after its end. */
  async spinUp(specs: EmulatorSpec[], options: CallOptions = {}): Promise<Emulation> {
    const accepted = await this.transport.call('spinUpEmulator', { body: { emulators: specs } }, options)
    const { job_number: number, agents, ends_at: endsAt, detail } = accepted
    const news = itemsOf<EmulationNews>(readJob(this.transport, number, options))
    return Object.assign(new RunningJob(number, news), {
      agents,
      ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
      ...(detail !== undefined && { detail }),
    })
  }
}
