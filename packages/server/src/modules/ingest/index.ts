export type { AgentAttributesService } from './agent-attributes.service.ts'
export { createIngestModule, type IngestModule } from './ingest.module.ts'
export { parsedMessage, type SentSample, samplesOf } from './messages.ts'
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
