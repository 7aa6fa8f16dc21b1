export { createIngestModule, type IngestModule } from './ingest.module.ts'
export { measurementOf } from './lines.ts'
export { parsedMessage, type SentSample, samplesOf, sentBy } from './messages.ts'
export type { NoteStore } from './notes.store.ts'
export {
  deeperThan,
  deepestJson,
  isObject,
  payloadOf,
  readSample,
  type SampleLimits,
  sampleLimits,
  UnfitSample,
} from './samples.ts'
