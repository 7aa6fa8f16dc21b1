export { createUpdatesModule } from './updates.module.ts'
