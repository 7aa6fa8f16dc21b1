import type { ContactKind, ContactStore } from './contacts.store.ts'

/** vmalert may send alerts many times a second, to any replica. */
const recordIntervalMs = 5000

interface VmalertContact {
  /** Since it read the rules. Null: never, for example because it reads them from a file. */
  rulesAgeS: number | null
  /** Since it sent alerts, which it does with every evaluation. Null: never. */
  alertsAgeS: number | null
}

/** When vmalert last sent a request to any replica. */
export class ContactService {
  readonly #store: ContactStore
  readonly #recordedAt = new Map<ContactKind, number>()

  constructor(store: ContactStore) {
    this.#store = store
  }

  async record(kind: ContactKind): Promise<void> {
    const now = performance.now()
    if (now - (this.#recordedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < recordIntervalMs) return
    await this.#store.record(kind)
    this.#recordedAt.set(kind, now)
  }

  async last(): Promise<VmalertContact> {
    const ages = await this.#store.ages()
    return { rulesAgeS: ages.get('rules') ?? null, alertsAgeS: ages.get('alerts') ?? null }
  }
}
