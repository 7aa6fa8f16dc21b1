export { type AppsModule, createAppsModule } from './apps.module.ts'
export type { AppService } from './apps.service.ts'
