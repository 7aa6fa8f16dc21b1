export { createDecisionsModule } from './decisions.module.ts'
