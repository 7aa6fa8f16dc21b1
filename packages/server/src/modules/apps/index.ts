export { appRoutes } from './apps.routes.ts'
export { AppService } from './apps.service.ts'
export { AppStore } from './apps.store.ts'
export { readPermissions } from './permissions.ts'
