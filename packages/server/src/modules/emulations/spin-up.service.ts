import type { EmulatorAccepted, EmulatorSpec } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import { newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import type { AgentService, NewAgent } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService } from '../jobs/index.ts'
import type { EmulationStore } from './emulations.store.ts'
import { Layout, type PlacedAgent } from './layout.rules.ts'
import { resolveLocations } from './locations.rules.ts'
import { longestDurationS, passwordOf, specNumbersOf, splitIntoParts } from './parts.rules.ts'

interface Options {
  store: EmulationStore
  agents: AgentService
  jobs: JobService
  secrets: Secrets
  /** Of one owner, at the same time. */
  maxAgents: number
  limits: Limits
  removeAfterS: number
}

interface SpinUpRequest {
  specs: EmulatorSpec[]
  caller: Caller
  by: Actor
  key: string | undefined
}

/** Creates emulations with their agents. Emulators run the agents, which connect like real ones. */
export class SpinUpService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async create({ specs, caller, by, key }: SpinUpRequest): Promise<EmulatorAccepted> {
    const { store, agents, jobs, secrets, limits, maxAgents, removeAfterS } = this.#options
    const positions = resolveLocations(specs)
    const total = specs.reduce((sum, spec) => sum + spec.num_access_points, 0)
    const owner = idOf(caller)
    const request = { kind: 'emulator_spinup' as const, request: { emulators: specs }, owner, key }
    let ids: string[] | undefined
    const jobNumber = await jobs.create(request, async (tx, number) => {
      const running = await store.runningAgents(tx, owner)
      if (running + total > maxAgents)
        throw limits.refusal(
          'MANC_EMULATED_AGENTS',
          `At most ${maxAgents} emulated agents at once; ${running} of yours are running. Wait until they end.`,
          60,
        )
      const placed = new Layout(number, specs, positions).agents()
      ids = placed.map((each) => each.ap_id)
      const nonce = newSecret()
      await store.insert(
        tx,
        {
          jobNumber: number,
          owner,
          agents: total,
          nonce,
          specs: JSON.stringify(specs),
          positions: JSON.stringify(positions),
          longestS: longestDurationS(specs),
          removeAfterS,
        },
        splitIntoParts(placed).map((part) =>
          longestDurationS(specNumbersOf(part).map((spec) => specs[spec] as EmulatorSpec)),
        ),
      )
      await agents.createEmulated(
        tx,
        number,
        placed.map((each) =>
          toNewAgent(each, specs, secrets.hashGenerated(passwordOf(secrets, each.ap_id, nonce))),
        ),
      )
      await recordAudit(tx, by, { action: 'emulator.spin-up', target: number, detail: { agents: total } })
    })
    // Idempotent replay: rebuild the ids.
    ids ??= new Layout(jobNumber, await store.specsOf(jobNumber), []).ids()
    return { status: 'success', job_number: jobNumber, agents: ids }
  }
}

const toNewAgent = (
  { ap_id: apId, spec, latitude, longitude }: PlacedAgent,
  specs: readonly EmulatorSpec[],
  passwordHash: string,
): NewAgent => ({
  id: newId(),
  apId,
  passwordHash,
  configuration: {
    technology: specs[spec]?.access_point_type,
    geolocation: { latitude, longitude },
    telemetry_interval_s: 1,
  },
})
