export type { AgentAttributesService } from './agent-attributes.service.ts'
export { parseDataMessage, type SentSample, samplesOf } from './data-message.format.ts'
export { createIngestModule, type IngestModule } from './ingest.module.ts'
export type { RejectedSamplesService } from './rejected-samples.service.ts'
export {
  InvalidSample,
  isNestedDeeper,
  isObject,
  maxJsonDepth,
  payloadOf,
  readSample,
  type SampleLimits,
  sampleLimits,
} from './sample.format.ts'
