import type { ViewCreate } from '@manc/contract'
import type { Executor, Postgres } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { ViewStore } from './views.store.ts'
import type { NewView, ViewRow } from './views.types.ts'

interface Deps {
  postgres: Postgres
  store: ViewStore
  maxPerOwner: number
  onLimit: () => void
}

/** The user who calls. */
export interface Viewer {
  id: string
  isAdmin: boolean
}

/** Saved views of the table of access points. */
export class ViewService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(viewer: Viewer, after: string | undefined, limit: number): Promise<ViewRow[]> {
    return this.#deps.store.page(viewer.id, after, limit)
  }

  get(viewer: Viewer, id: string): Promise<ViewRow> {
    return this.#find(this.#deps.postgres.db, viewer, id)
  }

  async create(viewer: Viewer, given: ViewCreate, by: Actor): Promise<ViewRow> {
    const { postgres, store, maxPerOwner, onLimit } = this.#deps
    const view = viewOf(given, { id: newId(), owner: viewer.id })
    return postgres.transaction(async (tx) => {
      if ((await store.count(tx, viewer.id)) >= maxPerOwner) {
        onLimit()
        throw new Refused('conflict', `You have ${maxPerOwner} views. Delete one first.`)
      }
      await store.insert(tx, view)
      await recordAudit(tx, by, { action: 'view.create', target: view.id, detail: detailOf(view) })
      return this.#find(tx, viewer, view.id)
    })
  }

  async update(viewer: Viewer, id: string, given: ViewCreate, by: Actor): Promise<ViewRow> {
    const { postgres, store } = this.#deps
    return postgres.transaction(async (tx) => {
      const old = await this.#find(tx, viewer, id)
      if (old.owner !== viewer.id)
        throw new Refused('forbidden', 'Only its owner can change a view. Save it as one of your own.')
      const view = viewOf(given, old)
      await store.update(tx, view)
      await recordAudit(tx, by, { action: 'view.update', target: old.id, detail: detailOf(view) })
      return this.#find(tx, viewer, id)
    })
  }

  async delete(viewer: Viewer, id: string, by: Actor): Promise<void> {
    const { postgres, store } = this.#deps
    await postgres.transaction(async (tx) => {
      const view = await this.#find(tx, viewer, id)
      if (view.owner !== viewer.id && !viewer.isAdmin)
        throw new Refused('forbidden', 'Only its owner or an administrator can delete a shared view.')
      await store.delete(tx, view.id)
      await recordAudit(tx, by, { action: 'view.delete', target: view.id, detail: detailOf(view) })
    })
  }

  async #find(db: Executor, viewer: Viewer, id: string): Promise<ViewRow> {
    const view = isUuid(id) ? await this.#deps.store.find(db, viewer.id, id) : undefined
    if (!view) throw notFound('View')
    return view
  }
}

const viewOf = (given: ViewCreate, { id, owner }: { id: string; owner: string }): NewView => ({
  id,
  owner,
  name: given.name,
  isShared: given.shared ?? false,
  columns: [...new Set(given.columns)],
  sort: given.sort ?? 'health',
  order: given.order ?? 'asc',
  filters: given.filters ?? {},
})

const detailOf = ({ name, isShared }: NewView) => ({ name, shared: isShared })
