import { viewOperations as operations, type View } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, idOf } from '../../access.ts'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import { isUuid } from '../../ids.ts'
import type { Viewer, ViewService } from './views.service.ts'
import type { ViewRow } from './views.types.ts'

export function viewRoutes(app: FastifyInstance, views: ViewService): void {
  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listViews, async ({ query: { limit = Number.NaN, after }, caller }, reply) => {
    if (after !== undefined && !isUuid(after)) throw wrongAfter('the id of a view')
    const page = await views.page(viewerOf(caller), after, limit)
    if (page.length === limit) linkNext(reply, operations.listViews, limit, page.at(-1)?.id)
    return page.map((view) => toRecord(view, caller))
  })

  serve(app, operations.getView, async ({ params, caller }) =>
    toRecord(await views.get(viewerOf(caller), params.id), caller),
  )

  serve(app, operations.createView, async ({ body, caller, by }) =>
    toRecord(await views.create(viewerOf(caller), body, by), caller),
  )

  serve(app, operations.updateView, async ({ params, body, caller, by }) =>
    toRecord(await views.update(viewerOf(caller), params.id, body, by), caller),
  )

  serve(app, operations.deleteView, async ({ params, caller, by }) => {
    await views.delete(viewerOf(caller), params.id, by)
    return done('The view was deleted.')
  })
}

const viewerOf = (caller: Caller): Viewer => ({
  id: idOf(caller),
  isAdmin: caller.kind === 'user' && caller.rank === 'admin',
})

const toRecord = (view: ViewRow, caller: Caller): View => ({
  id: view.id,
  name: view.name,
  shared: view.isShared,
  columns: [...view.columns],
  sort: view.sort,
  order: view.order,
  filters: view.filters,
  created_by: view.createdBy,
  is_own: view.owner === idOf(caller),
  updated_at: view.updatedAt.toISOString(),
})
