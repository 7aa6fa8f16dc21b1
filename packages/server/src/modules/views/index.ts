export { createViewsModule } from './views.module.ts'
