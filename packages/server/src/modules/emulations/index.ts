export { emulatorRoutes } from './emulator.routes.ts'
export { EmulatorService } from './emulator.service.ts'
export { EmulatorStore } from './emulator.store.ts'
export { fold } from './gazetteer.ts'
