export { FiguresService } from './figures.service.ts'
export { FiguresStore } from './figures.store.ts'
export { History } from './history.ts'
export { Ingester } from './ingester.ts'
export { Live } from './live.ts'
export { type SentSample, samplesOf, sentBy } from './messages.ts'
export { NoteStore } from './notes.store.ts'
export { Notes } from './notes.ts'
export { ReadingsService } from './readings.service.ts'
export { ReadingsStore } from './readings.store.ts'
export {
  deeperThan,
  deepestJson,
  isObject,
  payloadOf,
  readSample,
  type SampleLimits,
  UnfitSample,
} from './samples.ts'
export { telemetryRoutes } from './telemetry.routes.ts'
