export { createEmulationsModule } from './emulations.module.ts'
export { fold } from './gazetteer.store.ts'
