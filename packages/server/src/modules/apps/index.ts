export { type AppsModule, createAppsModule } from './apps.module.ts'
export type { AppStore } from './apps.store.ts'
export { readPermissions } from './permissions.ts'
