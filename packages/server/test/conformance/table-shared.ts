import type { Field, Output, Parameter, Shape } from './shape.ts'

/** Decision: every answer with a `status` says just this. */
export const succeeded: Field = { name: 'status', type: 'string', enum: ['success'], required: true }

/** Deletes, recovery and reset: the interface says "JSON object; members: not shown". */
export const statusAndDetail: Output = {
  from: 'decision',
  type: 'object',
  fields: [succeeded, { name: 'detail', type: 'string', required: true }],
}

/** Decision: the two long lists (6 and 26) also take these. */
export const page: Parameter[] = [
  { in: 'query', name: 'limit', type: 'integer', required: false, from: 'decision' },
  { in: 'query', name: 'after', type: 'string', required: false, from: 'decision' },
]

/** Decision: the job numbers that the service gives out are UUIDs. */
export const jobNumber: Field = { name: 'job_number', type: 'string', format: 'uuid', required: true }

export const agentFields: Field[] = [
  { name: 'id', type: 'string', format: 'uuid', required: true },
  { name: 'ap_id', type: 'string', required: true },
  { name: 'configuration', type: 'object', required: true },
]

/** `detail` of HTTPValidationError; the interface does not say whether `detail` itself is required. */
export const validationDetail: Shape = {
  type: 'array',
  items: {
    type: 'object',
    fields: [
      { name: 'loc', type: 'array', required: true, items: { type: ['string', 'integer'] } },
      { name: 'msg', type: 'string', required: true },
      { name: 'type', type: 'string', required: true },
    ],
  },
}
