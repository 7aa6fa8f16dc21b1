export { createEventStreamModule } from './event-stream.module.ts'
