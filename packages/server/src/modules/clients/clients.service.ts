import type { DatedPartitions } from '../../engines/postgres.partitions.ts'
import { notFound } from '../../errors.ts'
import type { ClientListStore } from './client-list.store.ts'
import type { ClientStore } from './clients.store.ts'
import type {
  ClientFilter,
  ClientPage,
  ClientRow,
  ClientView,
  HistoryPage,
  HistoryRow,
  MeasuredClient,
} from './clients.types.ts'

interface Deps {
  store: ClientStore
  list: ClientListStore
  partitions: DatedPartitions
  retentionDays: number
}

const dayS = 86_400
/** Emulations leave thousands of clients behind. */
const keepEmulatedS = 3600
const deletedAtOnce = 2000
const maxDeletions = 50
/** A client may be measured this rarely, while many are. */
const measuredForS = 900

/** Reads clients, and deletes expired ones. */
export class ClientService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(filter: ClientFilter, page: ClientPage): Promise<ClientRow[]> {
    return this.#deps.list.page(filter, page)
  }

  /** Attached clients with what they hear and receive, for a world that is built from the network. */
  measured(apIds: readonly string[], limit: number): Promise<MeasuredClient[]> {
    return this.#deps.list.measured(apIds, measuredForS, limit)
  }

  async get(
    view: ClientView,
    id: string,
    page: Omit<HistoryPage, 'patterns'>,
  ): Promise<{ client: ClientRow; history: HistoryRow[] }> {
    const client = await this.#deps.list.find(view, id)
    if (!client) throw notFound('Client')
    const history = await this.#deps.list.history(id, { ...page, patterns: view.patterns })
    return { client, history }
  }

  /** Creates the partitions for the next time, and deletes what has expired. */
  async sweep(): Promise<void> {
    const { store, partitions, retentionDays } = this.#deps
    const keepS = retentionDays * dayS
    await partitions.sweep(keepS)
    for (let n = 0; n < maxDeletions; n++)
      if ((await store.deleteGone(keepS, keepEmulatedS, deletedAtOnce)) < deletedAtOnce) return
  }
}
