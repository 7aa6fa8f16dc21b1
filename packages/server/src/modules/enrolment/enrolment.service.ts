import type { AgentCreate, EnrolmentTokenCreate } from '@manc/contract'
import type { KeyCount } from '../../data-keys.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { forbidden, notFound, Refused } from '../../errors.ts'
import { matchesGlob } from '../../globs.ts'
import { isUuid, newId } from '../../ids.ts'
import { digestOf, newSecret, type Secrets } from '../../secrets.ts'
import type { Agent, AgentService } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { EnrolmentStore, EnrolmentToken } from './enrolment.store.ts'

export const enrolmentTokenPrefix = 'enrol_'

/** Tokens with which devices register themselves: limited in uses, lifetime and agent ids. */
export class EnrolmentService {
  readonly #postgres: Postgres
  readonly #store: EnrolmentStore
  readonly #agents: AgentService
  readonly #secrets: Secrets

  constructor(deps: { postgres: Postgres; store: EnrolmentStore; agents: AgentService; secrets: Secrets }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#agents = deps.agents
    this.#secrets = deps.secrets
  }

  async create(
    request: Required<EnrolmentTokenCreate>,
    by: Actor,
  ): Promise<EnrolmentToken & { token: string }> {
    const token = newSecret(enrolmentTokenPrefix)
    const { ap_id_pattern: apIdPattern, max_uses: maxUses, expires_in: lifetimeS } = request
    const created = await this.#postgres.transaction(async (tx) => {
      const digest = digestOf(token)
      const hash = this.#secrets.fingerprint(token)
      const row = { id: newId(), digest, hash, apIdPattern, maxUses, lifetimeS, createdBy: by.name }
      const inserted = await this.#store.insert(tx, row)
      const detail = { ap_id_pattern: apIdPattern, max_uses: maxUses }
      await recordAudit(tx, by, { action: 'enrolment-token.create', target: inserted.id, detail })
      return inserted
    })
    return { ...created, token }
  }

  list(): Promise<EnrolmentToken[]> {
    return this.#store.live()
  }

  async delete(id: string, by: Actor): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      if (!isUuid(id) || !(await this.#store.delete(tx, id))) throw notFound('Enrolment token')
      await recordAudit(tx, by, { action: 'enrolment-token.delete', target: id })
    })
  }

  findLive(token: string): Promise<EnrolmentToken | undefined> {
    return this.#store.findLive(digestOf(token), this.#secrets.fingerprints(token))
  }

  async enrol(
    token: Pick<EnrolmentToken, 'id' | 'apIdPattern'>,
    agent: AgentCreate,
    by: Actor,
  ): Promise<Agent> {
    if (!matchesGlob(token.apIdPattern, agent.ap_id)) throw forbidden()
    return this.#agents.create(agent, by, async (tx) => {
      const used = await this.#store.use(tx, token.id)
      if (!used) throw new Refused('unauthenticated', 'Could not validate credentials')
      return { enrolment_token: token.id, created_by: used.createdBy }
    })
  }

  /** Tokens of version 1.0 depend on the data key at the time of their creation. Later tokens do not depend on it. */
  async countByKey(): Promise<KeyCount[]> {
    const { tokens, lastExpiresAt } = await this.#store.liveWithoutDigest()
    return tokens === 0 ? [] : [{ keyId: undefined, rows: tokens, until: lastExpiresAt ?? undefined }]
  }

  sweep(): Promise<void> {
    return this.#store.sweep()
  }
}
