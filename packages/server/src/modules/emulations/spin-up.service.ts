import { type EmulatorAccepted, type EmulatorSpec, emulatedLabels } from '@manc/contract'
import type { PartSpec } from '@manc/contract/emulation-parts'
import { type Caller, idOf } from '../../access.ts'
import { newId } from '../../ids.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import type { AgentService, NewAgent } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { type EventService, emulationStartedEvent } from '../events/index.ts'
import { type JobService, jobTitles } from '../jobs/index.ts'
import type { EmulationStore } from './emulations.store.ts'
import { Layout, type PlacedAgent } from './layout.rules.ts'
import { resolveLocations } from './locations.rules.ts'
import { longestDurationS, passwordOf, specNumbersOf, splitIntoParts } from './parts.rules.ts'
import type { PhaseService } from './phases.service.ts'
import type { QuotaService } from './quotas.service.ts'

interface Options {
  store: EmulationStore
  phases: PhaseService
  agents: AgentService
  events: EventService
  jobs: JobService
  secrets: Secrets
  quotas: QuotaService
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
    const { store, phases, agents, events, jobs, secrets, quotas, removeAfterS } = this.#options
    const positions = resolveLocations(specs)
    const quota = quotas.quotaOf(caller)
    const limited = specs.map((spec) => toStored(spec, quota.maxDurationS))
    const total = specs.reduce((sum, spec) => sum + spec.num_access_points, 0)
    const owner = idOf(caller)
    const title = jobTitles.emulation(
      specs.map((spec) => ({ technology: spec.access_point_type, agents: spec.num_access_points })),
    )
    const request = { kind: 'emulator_spinup' as const, title, request: { emulators: limited }, caller, key }
    let ids: string[] | undefined
    const jobNumber = await jobs.create(request, async (tx, number) => {
      await quotas.checkOwner(tx, owner, quota, total)
      const placed = new Layout(number, limited, positions).agents()
      ids = placed.map((each) => each.ap_id)
      const nonce = newSecret()
      await store.insert(
        tx,
        {
          jobNumber: number,
          owner,
          isOfStandardUser: quota.isStandardUser,
          agents: total,
          nonce,
          specs: JSON.stringify(limited),
          positions: JSON.stringify(positions),
          longestS: longestDurationS(limited),
          removeAfterS,
        },
        splitIntoParts(placed).map((part) =>
          longestDurationS(specNumbersOf(part).map((spec) => limited[spec] as PartSpec)),
        ),
      )
      await phases.plan(tx, number, limited)
      await agents.createEmulated(
        tx,
        { emulation: number, owner },
        placed.map((each) =>
          toNewAgent(each, limited, secrets.hashGenerated(passwordOf(secrets, each.ap_id, nonce))),
        ),
      )
      await recordAudit(tx, by, { action: 'emulator.spin-up', target: number, detail: { agents: total } })
      await events.append(tx, [emulationStartedEvent({ jobNumber: number, owner, agents: total })])
      await quotas.checkInstallation(tx, quota)
    })
    const isLimited = specs.some(({ duration }) => duration > quota.maxDurationS)
    if (isLimited) quotas.countLimitedDuration(quota)
    const stored = await store.find(jobNumber)
    // Idempotent replay: rebuild the ids.
    ids ??= new Layout(jobNumber, stored?.specs ?? [], []).ids()
    return {
      status: 'success',
      job_number: jobNumber,
      agents: ids,
      ...(stored && { ends_at: stored.endsAt.toISOString() }),
      ...(isLimited && { detail: `The duration was limited to ${quota.maxDurationS} s, your maximum.` }),
    }
  }
}

/** Without the texts of the locations: only their coordinates are stored, until the emulation is removed. */
function toStored({ locations: _locations, ...spec }: EmulatorSpec, maxDurationS: number): PartSpec {
  return { ...spec, duration: Math.min(spec.duration, maxDurationS) }
}

const toNewAgent = (
  { ap_id: apId, spec, latitude, longitude }: PlacedAgent,
  specs: readonly PartSpec[],
  passwordHash: string,
): NewAgent => {
  const of = specs[spec]
  return {
    id: newId(),
    apId,
    passwordHash,
    configuration: {
      ...(of && emulatedLabels(of, apId)),
      technology: of?.access_point_type,
      geolocation: { latitude, longitude },
      telemetry_interval_s: 1,
    },
  }
}
