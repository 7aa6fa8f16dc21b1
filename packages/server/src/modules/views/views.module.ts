import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { viewRoutes } from './views.routes.ts'
import { ViewService } from './views.service.ts'
import { ViewStore } from './views.store.ts'

export function createViewsModule({ config, postgres, limits }: Platform) {
  const views = new ViewService({
    postgres,
    store: new ViewStore(postgres),
    maxPerOwner: config.MANC_VIEWS_PER_USER,
    onLimit: () => limits.count('MANC_VIEWS_PER_USER'),
  })
  return { routes: (api: FastifyInstance) => viewRoutes(api, views) }
}
