export { createRolloutsModule } from './rollouts.module.ts'
