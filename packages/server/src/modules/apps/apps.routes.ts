import { appOperations as operations } from '@manc/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { jsonArray } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import { type AppService, maxAppsPerPage } from './apps.service.ts'
import { permissionWarning } from './permission-checks.rules.ts'

export function appRoutes(app: FastifyInstance, apps: AppService): void {
  serve(app, operations.createApp, async ({ body, by }, reply) => {
    const created = await apps.create(body, by)
    warn(reply, body.permissions)
    return created
  })

  serve(app, operations.listApps, async ({ query: { limit, after } }, reply) => {
    if (limit === undefined) return jsonArray(apps.all(after))
    const pageSize = Math.min(limit, maxAppsPerPage)
    const page = await apps.page(after ?? '', pageSize)
    if (page.length === pageSize) linkNext(reply, operations.listApps, limit, page.at(-1)?.app_name)
    return page
  })

  serve(app, operations.getApp, async ({ params, caller, by }) => apps.get(params.app_name, caller, by))

  serve(app, operations.updateApp, async ({ params, body, by }, reply) => {
    const updated = await apps.update(params.app_name, body, by)
    if (body.permissions) warn(reply, body.permissions)
    return updated
  })

  serve(app, operations.deleteApp, async ({ params, by }) => {
    await apps.delete(params.app_name, by)
    return done('The third-party app was deleted.')
  })
}

function warn(reply: FastifyReply, permissions: Record<string, unknown>): void {
  const warning = permissionWarning(permissions)
  if (warning !== undefined) reply.header('warning', warning)
}
