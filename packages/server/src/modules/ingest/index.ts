export { Ingester } from './ingester.ts'
export { measurementOf } from './lines.ts'
export { parsedMessage, type SentSample, samplesOf, sentBy } from './messages.ts'
export { NoteStore } from './notes.store.ts'
export { Notes } from './notes.ts'
export {
  deeperThan,
  deepestJson,
  isObject,
  payloadOf,
  readSample,
  type SampleLimits,
  UnfitSample,
} from './samples.ts'
