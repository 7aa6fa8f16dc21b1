import type { Body, Field, Operation, Output, Parameter, Shape } from './shape.ts'
import { agentFields, jobNumber, page, succeeded } from './table-shared.ts'

const agentId: Parameter = { in: 'query', name: 'agent_id', type: 'string', required: true }
const agentInQuery: Parameter = { in: 'query', name: 'agent', type: 'string', required: true }
const window: Parameter = {
  in: 'query',
  name: 'window',
  type: ['integer', 'string'],
  required: false,
  default: 5,
}

// Decision: 1 to 128 characters are accepted at the callbacks.
const jobNumberInQuery: Parameter = {
  in: 'query',
  name: 'job_number',
  type: 'string',
  required: true,
  minLength: 1,
  maxLength: 128,
}

const job: Output = { from: 'decision', type: 'object', fields: [jobNumber] }

const freeFormUpdate: Body = { kind: 'json', type: 'object' }

const updateAnswer: Output = {
  from: 'decision',
  type: 'object',
  fields: [
    succeeded,
    { name: 'detail', type: 'string', required: true },
    { name: 'accepted', type: 'integer', required: true },
    { name: 'commands', type: 'array', required: true },
  ],
}

const emulatorSpec: Shape = {
  type: 'object',
  fields: [
    { name: 'access_point_type', type: 'string', pattern: '^(5G|WiFi|LiFi)$', required: true },
    { name: 'num_access_points', type: 'integer', exclusiveMinimum: 0, maximum: 1000, required: true },
    // Decision: an empty list of locations, or of emulators, is 422.
    { name: 'locations', type: 'array', items: { type: 'string' }, minItems: 1, required: true },
    { name: 'num_devices', type: 'integer', exclusiveMinimum: 0, required: true },
    { name: 'duration', type: 'integer', exclusiveMinimum: 0, required: true },
  ],
}

const emulatorSpinupRequest: Body = {
  kind: 'json',
  type: 'object',
  fields: [{ name: 'emulators', type: 'array', items: emulatorSpec, minItems: 1, required: true }],
}

const spinupAnswer: Output = {
  from: 'decision',
  type: 'object',
  fields: [
    succeeded,
    jobNumber,
    { name: 'agents', type: 'array', items: { type: 'string' }, required: true },
  ],
}

export const agentOperations: Operation[] = [
  {
    number: 21,
    method: 'POST',
    path: '/api/v1/agent_update/update',
    auth: 'bearer',
    body: freeFormUpdate,
    output: updateAnswer,
  },
  {
    number: 22,
    method: 'POST',
    path: '/api/v1/agent_details/request_all_agents_details',
    auth: 'bearer',
    takesKey: true,
    output: job,
  },
  {
    number: 23,
    method: 'POST',
    path: '/api/v1/agent_data/request_agent_data',
    auth: 'bearer',
    parameters: [
      agentId,
      { in: 'query', name: 'start_time', type: 'string', format: 'date-time', required: true },
      { in: 'query', name: 'end_time', type: 'string', format: 'date-time', required: true },
    ],
    output: job,
  },
  {
    number: 24,
    method: 'POST',
    path: '/api/v1/send_command',
    auth: 'bearer',
    parameters: [agentId, { in: 'query', name: 'command', type: 'string', required: true }],
    output: job,
  },
  {
    number: 25,
    method: 'POST',
    path: '/api/v1/emulator/spinup',
    auth: 'bearer',
    body: emulatorSpinupRequest,
    output: spinupAnswer,
  },
]

// The interface says "timestamp string"; RFC 3339 is the decision.
const points: Shape = {
  type: 'array',
  items: {
    type: 'object',
    fields: [
      { name: 'ts', type: 'string', format: 'date-time', required: true },
      { name: 'value', type: 'number', required: true },
    ],
  },
}

const series: Field = {
  name: 'series',
  type: 'array',
  required: true,
  items: {
    type: 'object',
    fields: [
      { name: 'metric', type: 'string', required: true },
      { name: 'points', ...points, required: true },
    ],
  },
}

const ofAgentAndWindow: Field[] = [
  { name: 'agent_id', type: 'string', required: true },
  { name: 'window_minutes', type: 'integer', required: true },
]

export const metrics: Operation[] = [
  {
    number: 26,
    method: 'GET',
    path: '/api/v1/metrics/agent_details',
    auth: 'bearer',
    parameters: page,
    output: {
      from: 'interface',
      type: 'array',
      items: {
        type: 'object',
        // The field is the interface's, its type is a decision.
        fields: [...agentFields, { name: 'onboard', type: 'boolean', required: true, from: 'decision' }],
      },
    },
  },
  {
    number: 27,
    method: 'GET',
    path: '/api/v1/metrics/agent_data',
    auth: 'bearer',
    parameters: [agentInQuery, window],
    output: {
      from: 'decision',
      type: 'object',
      fields: [
        { name: 'key', type: 'string', required: true, from: 'interface' },
        ...ofAgentAndWindow,
        series,
      ],
    },
  },
  {
    number: 28,
    method: 'GET',
    path: '/api/v1/metrics/agent_multi_metric_data',
    auth: 'bearer',
    parameters: [
      agentInQuery,
      { in: 'query', name: 'metrics', type: 'array', items: { type: 'string' }, required: true },
      window,
    ],
    output: { from: 'interface', type: 'object', fields: [...ofAgentAndWindow, series] },
  },
  {
    number: 29,
    method: 'GET',
    path: '/api/v1/metrics/agent_metrics',
    auth: 'bearer',
    parameters: [agentInQuery, window],
    output: {
      from: 'interface',
      type: 'object',
      fields: [
        ...ofAgentAndWindow,
        {
          name: 'metrics',
          type: 'array',
          required: true,
          items: {
            type: 'object',
            fields: [
              { name: 'name', type: 'string', required: true },
              { name: 'label', type: 'string', required: true },
            ],
          },
        },
      ],
    },
  },
]

const callbackAnswer: Output = {
  from: 'decision',
  type: 'object',
  fields: [
    succeeded,
    { name: 'job_number', type: 'string', required: true },
    { name: 'delivered', type: 'boolean', required: true },
    { name: 'detail', type: 'string', required: true },
  ],
}

function callback(number: number, name: string, items: Shape): Operation {
  return {
    number,
    method: 'POST',
    path: `/api/v1/callback/${name}`,
    // The callbacks' table has no auth column: authentication rule 3 covers them.
    auth: 'bearer',
    parameters: [jobNumberInQuery],
    body: { kind: 'json', type: 'array', items },
    output: callbackAnswer,
  }
}

export const callbacks: Operation[] = [
  callback(30, 'agent_data', { type: 'any' }),
  callback(31, 'agent_details', { type: 'object' }),
  callback(32, 'emulator', { type: 'object' }),
]
