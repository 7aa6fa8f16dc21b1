import { exchanges, type JobKind } from '@manc/contract'
import type { SpanAttributes } from '../../tracing.ts'

/** By the OpenTelemetry conventions for messaging, and what identifies a job. */
export const jobAttributes = (kind: JobKind, operation: 'create' | 'process'): SpanAttributes => ({
  'messaging.system': 'rabbitmq',
  'messaging.destination.name': exchanges.jobs,
  'messaging.operation.type': operation,
  'manc.job.kind': kind,
})
