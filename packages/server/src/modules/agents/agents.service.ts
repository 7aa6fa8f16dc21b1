import { type AgentCreate, type AgentUpdate, emulatedApIdPrefixes, isEmulatedApId } from '@manc/contract'
import { ownerOf } from '../../actor.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { alreadyRegistered, notFound, Refused } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import type { ConfigurationChanges } from '../agent-limits/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { DisconnectionService } from '../disconnections/index.ts'
import { type EventService, onboardedEvent } from '../events/index.ts'
import type { FleetService } from '../fleet/index.ts'
import type { Revocations } from '../revocations/index.ts'
import type { WindowLimit } from '../throttle/index.ts'
import type { Agent, AgentForLogin, AgentStore } from './agents.store.ts'
import type { ConfigurationService } from './configurations.service.ts'
import type { ConfigurationVersion, ConfigurationVersionDetails } from './configurations.store.ts'

/** An agent whose password was generated here. */
export interface NewAgent {
  id: string
  apId: string
  passwordHash: string
  configuration: Record<string, unknown>
}

export class AgentService {
  readonly #postgres: Postgres
  readonly #store: AgentStore
  readonly #fleet: FleetService
  readonly #events: EventService
  readonly #secrets: Secrets
  readonly #revocations: Revocations
  readonly #disconnections: DisconnectionService
  readonly #passwordChanges: WindowLimit
  readonly #configurationChanges: ConfigurationChanges
  readonly #configurations: ConfigurationService

  constructor(deps: {
    postgres: Postgres
    store: AgentStore
    fleet: FleetService
    events: EventService
    secrets: Secrets
    revocations: Revocations
    disconnections: DisconnectionService
    passwordChanges: WindowLimit
    configurationChanges: ConfigurationChanges
    configurations: ConfigurationService
  }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#fleet = deps.fleet
    this.#events = deps.events
    this.#secrets = deps.secrets
    this.#revocations = deps.revocations
    this.#disconnections = deps.disconnections
    this.#passwordChanges = deps.passwordChanges
    this.#configurationChanges = deps.configurationChanges
    this.#configurations = deps.configurations
  }

  /**
   * `before` runs first in the transaction, for conditions that must be met at the time of creation. It returns the detail
   * of the audit entry.
   */
  async create(
    agent: AgentCreate,
    by: Actor,
    before?: (tx: Tx) => Promise<Record<string, unknown>>,
  ): Promise<Agent> {
    if (isEmulatedApId(agent.ap_id))
      throw new Refused(
        'conflict',
        `Ids that begin with ${emulatedApIdPrefixes.join(', ')} are those of emulated access points. Choose another id.`,
      )
    const configuration = JSON.stringify(agent.configuration)
    const passwordHash = await this.#secrets.hashPassword(agent.password, ownerOf(by))
    return this.#postgres.transaction(async (tx) => {
      const detail = (await before?.(tx)) ?? {}
      const row = { id: newId(), apId: agent.ap_id, passwordHash, configuration }
      const created = await this.#store.insert(tx, row)
      if (!created) throw alreadyRegistered('Agent')
      await this.#configurations.create(tx, created, by)
      await recordAudit(tx, by, { action: 'agent.create', target: created.apId, detail })
      return created
    })
  }

  /** The agents of an emulation, in the transaction that creates it. */
  async createEmulated(
    tx: Tx,
    { emulation, owner }: { emulation: string; owner: string },
    agents: readonly NewAgent[],
  ): Promise<void> {
    const rows = agents.map((agent) => ({ ...agent, configuration: JSON.stringify(agent.configuration) }))
    await this.#store.insertEmulated(tx, emulation, rows)
    await this.#fleet.place(tx, agents, owner)
  }

  /** Deletes up to `max` agents of an emulation that has ended. Returns how many. */
  async removeEmulated(emulation: string, max: number): Promise<number> {
    return this.#postgres.transaction(async (tx) => {
      const agents = await this.#store.lockEmulated(tx, emulation, max)
      if (agents.length === 0) return 0
      await this.#store.deleteAll(
        tx,
        agents.map(({ id }) => id),
      )
      for (const { id, apId } of agents) {
        await this.#revocations.revoke(tx, id)
        await this.#disconnections.requestLater(tx, apId)
      }
      return agents.length
    })
  }

  async get(apId: string): Promise<Agent> {
    const agent = await this.#store.find(apId)
    if (!agent) throw notFound('Agent')
    return agent
  }

  async update(apId: string, change: AgentUpdate, by: Actor): Promise<Agent> {
    const configuration = change.configuration ? JSON.stringify(change.configuration) : undefined
    if (typeof change.password === 'string' && by.kind === 'agent') this.#passwordChanges.count(ownerOf(by))
    const known = await this.#store.findForLogin(apId)
    if (!known) throw notFound('Agent')
    const passwordHash = await this.#changedHash(known.passwordHash, change.password ?? undefined, by)
    return this.#postgres.transaction(async (tx) => {
      const agent = await this.#store.lock(tx, apId)
      if (!agent) throw notFound('Agent')
      const newConfiguration = configuration === agent.configuration ? undefined : configuration
      if (newConfiguration !== undefined) {
        if (by.kind === 'agent') this.#configurationChanges.take(apId)
        await this.#configurations.set(tx, agent, newConfiguration, by)
      }
      if (passwordHash !== undefined) {
        await this.#revocations.revoke(
          tx,
          agent.id,
          await this.#store.setPassword(tx, agent.id, passwordHash),
        )
        await this.#disconnections.request(tx, agent.apId)
      }
      const changed = [
        ...(newConfiguration === undefined ? [] : ['configuration']),
        ...(passwordHash === undefined ? [] : ['password']),
      ]
      if (changed.length > 0)
        await recordAudit(tx, by, { action: 'agent.update', target: apId, detail: { changed } })
      return { id: agent.id, apId: agent.apId, configuration: newConfiguration ?? agent.configuration }
    })
  }

  /** The stored versions of its configuration, the newest first. */
  async configurations(apId: string): Promise<ConfigurationVersion[]> {
    const versions = await this.#configurations.list(apId)
    if (versions.length === 0) throw notFound('Agent')
    return versions
  }

  async configuration(apId: string, version: number): Promise<ConfigurationVersionDetails> {
    const found = await this.#configurations.find(apId, version)
    if (found) return found
    await this.get(apId)
    throw notFound('Version')
  }

  /** Undefined if the password stays the same: that must not end the agent's sessions. */
  async #changedHash(stored: string, password: string | undefined, by: Actor): Promise<string | undefined> {
    if (password === undefined) return undefined
    const owner = ownerOf(by)
    const isSame = await this.#secrets.verifyPassword(stored, password, { kind: 'change', owner })
    return isSame ? undefined : this.#secrets.hashPassword(password, owner)
  }

  findForLogin(apId: string): Promise<AgentForLogin | undefined> {
    return this.#store.findForLogin(apId)
  }

  /** Agents that have sent something themselves count as onboarded. */
  markOnboard(apIds: string[]): Promise<void> {
    return this.#postgres.transaction(async (tx) => {
      const onboarded = await this.#store.markOnboard(tx, apIds)
      await this.#events.append(tx, onboarded.map(onboardedEvent))
    })
  }

  async delete(apId: string, by: Actor): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      const agent = await this.#store.lock(tx, apId)
      if (!agent) throw notFound('Agent')
      await this.#store.delete(tx, agent.id)
      await this.#revocations.revoke(tx, agent.id)
      await this.#disconnections.request(tx, agent.apId)
      await recordAudit(tx, by, { action: 'agent.delete', target: apId })
    })
  }
}
