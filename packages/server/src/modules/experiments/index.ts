export { createExperimentsModule } from './experiments.module.ts'
