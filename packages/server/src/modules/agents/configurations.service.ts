import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { configuredEvent, type EventService, versionChangedEvent } from '../events/index.ts'
import type { FleetService } from '../fleet/index.ts'
import type { Agent, AgentStore } from './agents.store.ts'
import type {
  ConfigurationStore,
  ConfigurationVersion,
  ConfigurationVersionDetails,
  VersionLimits,
} from './configurations.store.ts'
import { versionChanges } from './versions.rules.ts'

interface Deps {
  store: AgentStore
  configurations: ConfigurationStore
  fleet: FleetService
  events: EventService
  versionLimits: VersionLimits
}

type Members = Record<string, unknown>

/** A version of the configuration of one agent. A new agent with the same `ap_id` has another id. */
export interface WrittenVersion {
  agentId: string
  version: number
}

/** Who changes a configuration, and what the audit entry says besides. */
interface Change {
  by: Actor
  detail: Record<string, unknown>
}

/** As in the contract. */
const maxConfigurationBytes = 65_536

/** Changes of configurations, each with its version, place in the fleet and events. */
export class ConfigurationService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Of a new agent. */
  async create(tx: Tx, { id, apId, configuration }: Agent, { kind, name }: Actor): Promise<void> {
    const { configurations, fleet, versionLimits } = this.#deps
    const version = { agentId: id, configuration, previous: undefined, author: { kind, name } }
    await configurations.insert(tx, version, versionLimits)
    await fleet.place(tx, [{ apId, configuration: parsed(configuration) }])
  }

  /** With the row of the agent locked. Returns the new version. */
  async set(tx: Tx, agent: Agent, configuration: string, { kind, name }: Actor): Promise<number> {
    const { store, configurations, fleet, events, versionLimits } = this.#deps
    const { id, apId, configuration: previous } = agent
    await store.setConfiguration(tx, id, configuration)
    const version = { agentId: id, configuration, previous, author: { kind, name } }
    const number = await configurations.insert(tx, version, versionLimits)
    await fleet.place(tx, [{ apId, configuration: parsed(configuration) }])
    const software = versionChanges(parsed(previous), parsed(configuration))
    await events.append(tx, [
      configuredEvent(apId, name),
      ...software.map((change) => versionChangedEvent(apId, change)),
    ])
    return number
  }

  /** Changes a part of a configuration. Undefined: it has these values already. */
  async change(
    tx: Tx,
    apId: string,
    change: (configuration: Members) => Members,
    { by, detail }: Change,
  ): Promise<WrittenVersion | undefined> {
    const agent = await this.#deps.store.lock(tx, apId)
    if (!agent) throw notFound('Agent')
    const before = parsed(agent.configuration)
    const after = change(before)
    if (isDeepStrictEqual(before, after)) return undefined
    const configuration = JSON.stringify(after)
    if (Buffer.byteLength(configuration) > maxConfigurationBytes)
      throw new Refused('bad-request', 'The configuration would exceed 64 KiB. Remove some values first.')
    const version = await this.set(tx, agent, configuration, by)
    await this.#recordChange(tx, apId, { by, detail })
    return { agentId: agent.id, version }
  }

  /** Restores what an agent had before a version, if that is still the newest one. */
  async restoreBefore(
    tx: Tx,
    apId: string,
    { agentId, version }: WrittenVersion,
    { by, detail }: Change,
  ): Promise<void> {
    const { store, configurations } = this.#deps
    const agent = await store.lock(tx, apId)
    if (agent?.id !== agentId) throw new Refused('not-found', 'The access point was removed.')
    const newest = await configurations.newest(tx, agentId)
    if (newest !== version)
      throw new Refused('conflict', `Its configuration was changed again: version ${newest} is the newest.`)
    const previous = await configurations.textOf(tx, agentId, version - 1)
    if (previous === undefined)
      throw new Refused('conflict', `Version ${version - 1} is no longer stored. Set the values again.`)
    await this.set(tx, agent, previous, by)
    await this.#recordChange(tx, apId, { by, detail: { ...detail, restored: version - 1 } })
  }

  /** The stored versions, the newest first. Empty: there is no such agent. */
  list(apId: string): Promise<ConfigurationVersion[]> {
    return this.#deps.configurations.list(apId)
  }

  find(apId: string, version: number): Promise<ConfigurationVersionDetails | undefined> {
    return this.#deps.configurations.find(apId, version)
  }

  /** JSON texts of the configurations of these agents, without those that are not registered. */
  texts(apIds: readonly string[]): Promise<Map<string, string>> {
    return this.#deps.configurations.texts(apIds)
  }

  #recordChange(tx: Tx, apId: string, { by, detail }: Change): Promise<void> {
    const changed = ['configuration']
    return recordAudit(tx, by, { action: 'agent.update', target: apId, detail: { changed, ...detail } })
  }
}

const parsed = (configuration: string) => JSON.parse(configuration) as Members
