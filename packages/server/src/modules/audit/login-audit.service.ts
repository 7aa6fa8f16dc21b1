import type { LoginType } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Postgres } from '../../engines/postgres.ts'
import { countAuditRow, type NewAuditRow } from './audit.store.ts'
import { currentMinute, type EntryQuota } from './entry-quota.service.ts'

interface Login {
  kind: LoginType
  name: string
  /** Undefined at the broker, which does not report it. */
  address: string | undefined
}

type FailedLogin = Pick<Login, 'kind' | 'address'> & {
  /** Undefined if there is no such account: the text may be a password that was typed into the wrong field. */
  name: string | undefined
}

/**
 * Records logins: one entry per account, address and minute, with a count. Logins of agents are not recorded: a fleet of
 * 10,000 would write 240,000 entries a day, and presence shows when an agent was connected.
 */
export class LoginAudit {
  readonly #postgres: Postgres
  readonly #quota: EntryQuota
  /** Keys of entries of failed logins that exist already: further failures only increase their count. */
  readonly #known = new LRUCache<string, true>({ max: 20_000, ttl: 60_000 })

  constructor(deps: { postgres: Postgres; quota: EntryQuota }) {
    this.#postgres = deps.postgres
    this.#quota = deps.quota
  }

  async succeeded(login: Login): Promise<void> {
    if (login.kind !== 'agent') await this.#count(loginEntry(login))
  }

  async failed({ kind, name, address }: FailedLogin): Promise<void> {
    const entry = {
      actorKind: address === undefined ? 'broker' : 'anonymous',
      actor: address ?? 'mqtt',
      action: 'login.failed' as const,
      target: name ?? '(unknown account)',
      detail: { login_type: kind },
    }
    const key = keyOf(entry)
    if (!this.#known.has(key)) {
      if (!this.#quota.take('failed logins')) {
        await this.#count({ ...entry, actorKind: 'anonymous', actor: '*', target: '*', detail: {} })
        return
      }
      this.#known.set(key, true)
    }
    await this.#count(entry)
  }

  #count(entry: Omit<NewAuditRow, 'requestId'>): Promise<void> {
    return countAuditRow(this.#postgres.db, { ...entry, requestId: null }, keyOf(entry))
  }
}

const loginEntry = ({ kind, name, address }: Login) => ({
  actorKind: kind,
  actor: name,
  action: 'login' as const,
  target: name,
  detail: { ...(address !== undefined && { address }) },
})

const keyOf = ({ actorKind, actor, action, target, detail }: Omit<NewAuditRow, 'requestId'>): string =>
  JSON.stringify([action, actorKind, actor, target, detail, currentMinute()])
