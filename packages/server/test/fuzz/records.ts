import type { Operation } from '@manc/contract'
import { call } from '@manc/harness'
import { AlarmRecords } from './alarm-records.ts'
import { decisionKinds } from './decision-records.ts'
import { ExperimentRecords } from './experiment-records.ts'
import { NotificationRecords } from './notification-records.ts'
import { inParallel } from './parallel.ts'
import { type Parties, send } from './parties.ts'
import type { Kind, Stored } from './record-kinds.ts'
import { rolloutKind } from './rollout-records.ts'
import { viewKind } from './view-records.ts'

const concurrency = 8

/** Records with ids that the server gives, to which requests refer by placeholders. */
export class Records {
  readonly #parties: Parties
  readonly #notifications: NotificationRecords
  readonly #alarms: AlarmRecords
  readonly #experiments: ExperimentRecords
  /** By the first part of the path of operations that change them. */
  readonly #kinds: Readonly<Record<string, readonly Kind[]>>

  constructor(parties: Parties) {
    this.#parties = parties
    this.#notifications = new NotificationRecords(parties)
    this.#alarms = new AlarmRecords(parties)
    this.#experiments = new ExperimentRecords(parties)
    // A receiver that a route uses cannot be deleted.
    const notifications = [this.#notifications.routes, this.#notifications.receivers]
    const experiments = [this.#experiments.kind]
    this.#kinds = {
      views: [viewKind(parties)],
      rollouts: [rolloutKind(parties)],
      alarms: [this.#alarms.alarms],
      alarm_rules: [this.#alarms.rules, this.#alarms.alarms],
      silences: [this.#alarms.silences],
      decisions: decisionKinds(parties),
      experiments,
      what_if: experiments,
      callback: experiments,
      notification_receivers: notifications,
      notification_routes: notifications,
    }
  }

  async create(): Promise<void> {
    await this.#alarms.create()
    await this.#notifications.create()
    await this.#experiments.create()
    for (const kinds of new Set(Object.values(this.#kinds)))
      for (const kind of kinds) await this.#restore(kind)
  }

  /** After requests of this operation. */
  async restore({ path }: Operation): Promise<void> {
    const [, , , resource = ''] = path.split('/')
    for (const kind of this.#kinds[resource] ?? []) await this.#restore(kind)
  }

  async #restore({ placeholders, list, create, isUsable, remove }: Kind): Promise<void> {
    const { url, ids, adminToken } = this.#parties
    const stored: Stored[] = await send(this.#parties, 'GET', list)
    const usable = new Map(
      placeholders.flatMap((placeholder, index) => {
        const record = stored.find(({ id }) => id === ids.get(placeholder))
        return record && isUsable(record, index) ? [[placeholder, record.id]] : []
      }),
    )
    const kept = new Set(usable.values())
    if (remove) {
      const token = await adminToken()
      const created = stored.filter((record) => !kept.has(record.id) && remove.applies(record))
      await inParallel(created, concurrency, ({ id }) =>
        call(url, remove.method, `/api/v1/${remove.path(id)}`, { token }),
      )
    }
    for (const [index, placeholder] of placeholders.entries())
      if (!usable.has(placeholder)) ids.set(placeholder, await create(index))
  }
}
