import { experimentLimits, type WhatIfCreate } from '@manc/contract'
import type { Caller } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import { forbidden, invalid, Refused, unavailable } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { ClientService, MeasuredClient } from '../clients/index.ts'
import type { FleetTableService } from '../fleet/index.ts'
import { type ExperimentRequest, type ExperimentService, ownerOf, runsOf } from './experiments.service.ts'
import type { ExperimentRow } from './experiments.types.ts'
import {
  baseline,
  checkPlaces,
  commandPolicy,
  isPlace,
  type KnownAgent,
  placesOf,
  radioMetrics,
  wrongWhatIf,
} from './what-if.rules.ts'

/** As in the contract. */
const defaults = { seed: 'what-if', repetitions: 5, horizonS: 1800 }
const maxNameLength = 100

interface Deps {
  experiments: ExperimentService
  table: FleetTableService
  clients: ClientService
}

/** Experiments in a world that is built from the network as it is now. */
export class WhatIfService {
  readonly #experiments: ExperimentService
  readonly #table: FleetTableService
  readonly #clients: ClientService

  constructor({ experiments, table, clients }: Deps) {
    this.#experiments = experiments
    this.#table = table
    this.#clients = clients
  }

  async create(given: WhatIfCreate, { caller, by, key }: ExperimentRequest): Promise<ExperimentRow> {
    refuseWithoutMetrics(caller)
    const problems = wrongWhatIf(given)
    if (problems.length > 0) throw invalid(problems)
    const owner = ownerOf(caller)
    // First: the network may have changed since the request that is repeated.
    const created = await this.#experiments.ofRequest(owner.owner, key)
    if (created) return created
    const agents = await this.#agents(given, caller)
    const measured = await this.#measured(agents, caller)
    const places = placesOf(agents, measured)
    const { document, command, seed = defaults.seed, repetitions = defaults.repetitions } = given
    const durationS = given.horizon_s ?? defaults.horizonS
    const clients = checkPlaces(places, { command, horizonS: durationS })
    const selected = given.agents ? new Set(given.agents).size : agents.length
    const variant = given.policy ?? document?.name ?? commandPolicy
    const policies = [baseline, variant]
    return this.#experiments.start(
      {
        id: newId(),
        ...owner,
        key,
        name: given.name ?? nameOf(variant, command),
        kind: 'what_if',
        world: {
          network: {
            access_points: places.length,
            left_out: selected - places.length,
            clients,
            measured_clients: places.reduce((sum, { members }) => sum + (members?.length ?? 0), 0),
            at: new Date().toISOString(),
          },
        },
        places,
        command: command ?? null,
        policies,
        documents: document ? [document] : [],
        seed,
        repetitions,
        durationS,
        runs: runsOf(policies, seed, repetitions),
      },
      by,
    )
  }

  async #agents(given: WhatIfCreate, caller: Caller): Promise<KnownAgent[]> {
    const { agents, area, technology, emulated } = given
    const filter = {
      // Agents that are named are requested.
      view: viewOf(caller, emulated ?? (agents ? 'all' : 'own')),
      ...(agents && { ids: [...new Set(agents)] }),
      ...(area && { box: area }),
      ...(technology && { technologies: technology }),
    }
    const window = { offset: 0, limit: experimentLimits.accessPoints }
    const { total, rows, hasMetrics } = await this.#table.page({
      filter,
      sort: 'ap_id',
      order: undefined,
      window,
    })
    if (total > experimentLimits.accessPoints)
      throw new Refused(
        'bad-request',
        `${total} access points match, and at most ${experimentLimits.accessPoints} can be simulated. Narrow the selection.`,
      )
    // Without the numbers of clients the answer would be about an empty network.
    if (!hasMetrics) throw unavailable('The metrics store')
    const radios = await this.#table.newest(rows, radioMetrics)
    if (!radios) throw unavailable('The metrics store')
    return rows.map((row) => ({ ...row, radio: radios.get(row.apId) ?? {} }))
  }

  /** An app that may not read clients gets a world with assumed ones. More than the limit are refused later. */
  async #measured(agents: readonly KnownAgent[], caller: Caller): Promise<MeasuredClient[]> {
    if (caller.kind === 'third_party_app' && !caller.may('listClients', 'clients:read')) return []
    // Only of access points that are simulated: the clients of others would count against the limit.
    const ids = agents.filter(isPlace).map(({ apId }) => apId)
    return this.#clients.measured(ids, experimentLimits.clients + 1)
  }
}

/** Of one without a name. */
const nameOf = (variant: string, command: WhatIfCreate['command']): string =>
  `What if: ${command ? `${command.command} at ${command.ap_id}` : variant}`.slice(0, maxNameLength)

/** The access table demands one scope. */
function refuseWithoutMetrics(caller: Caller): void {
  if (caller.kind !== 'third_party_app') return
  if (!caller.may('getFleetTable', 'agents:read') || !caller.may('getFleetTable', 'metrics:read'))
    throw forbidden()
}
