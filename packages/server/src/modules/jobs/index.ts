export type { Chunk, JobHandler } from './handlers.ts'
export { createJobsModule, type JobsModule } from './jobs.module.ts'
export type { JobService } from './jobs.service.ts'
