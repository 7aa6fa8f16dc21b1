import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { RevocationsModule } from '../revocations/index.ts'
import { ApiKeyEncryptionService } from './api-keys.service.ts'
import { appRoutes } from './apps.routes.ts'
import { AppService } from './apps.service.ts'
import { AppStore } from './apps.store.ts'
import { defaultScopes } from './permissions.rules.ts'

export type AppsModule = ReturnType<typeof createAppsModule>

export function createAppsModule(
  { config, postgres, secrets }: Platform,
  { revocations: { revocations } }: { revocations: RevocationsModule },
) {
  const store = new AppStore(postgres)
  const apps = new AppService({
    postgres,
    store,
    secrets,
    revocations,
    defaultScopes: defaultScopes[config.MANC_APP_DEFAULT],
  })
  return {
    apps,
    routes: (api: FastifyInstance) => appRoutes(api, apps),
    dataKeyUses: [new ApiKeyEncryptionService({ postgres, store, secrets })],
  }
}
