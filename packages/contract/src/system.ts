import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Nullable, oneOf } from './schema.ts'

/** Of a part of the controller, the worst first. */
export const systemStates = ['bad', 'degraded', 'unknown', 'good'] as const
export type SystemState = (typeof systemStates)[number]

export const SystemPart = Type.Object(
  {
    id: Type.String({ description: 'For example `rabbitmq` or `telemetry_queues`.' }),
    name: Type.String({ description: 'For people, for example `Telemetry queues`.' }),
    state: oneOf(systemStates),
    reason: Type.String({ description: 'What was found, in a sentence or two.' }),
    next_step: Nullable(Type.String({ description: 'What to do about it. Null if the part is good.' })),
    runbook: Nullable(
      Type.String({ description: 'Path of the document with the steps, in the repository.' }),
    ),
    since: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Of engines: since when the process that answers has seen this state. Others have no such time.',
      }),
    ),
    figures: Type.Record(Type.String(), Type.Number(), { description: 'What the state was derived from.' }),
  },
  { title: 'SystemPart' },
)
export type SystemPart = Static<typeof SystemPart>

export const SystemProcess = Type.Object(
  {
    id: Type.String({ description: 'New with every start.' }),
    host: Type.String(),
    roles: Type.Array(Type.String()),
    version: Type.String(),
    started_at: Type.String({ format: 'date-time' }),
    alive_at: Type.String({ format: 'date-time', description: 'Its last heartbeat.' }),
    is_alive: Type.Boolean({
      description: 'False: it has ended without a shutdown, or cannot reach the database.',
    }),
  },
  { title: 'SystemProcess' },
)
export type SystemProcess = Static<typeof SystemProcess>

export const SystemHealth = Type.Object(
  {
    state: oneOf(
      ['bad', 'degraded', 'good'],
      'The worst state of a part. Parts that are `unknown` do not count: what hides them is a part itself.',
    ),
    parts: Type.Array(SystemPart, { description: 'The worst first.' }),
    processes: Type.Array(SystemProcess, {
      description:
        'Processes of the server, at most 500. Those without a heartbeat are listed for 15 minutes.',
    }),
    as_of: Type.String({ format: 'date-time' }),
  },
  { title: 'SystemHealth' },
)
export type SystemHealth = Static<typeof SystemHealth>

export const systemOperations = {
  getSystemHealth: operation({
    id: 'getSystemHealth',
    method: 'GET',
    path: '/api/v1/system/health',
    tag: 'System',
    summary: 'Get the health of the controller itself',
    description:
      'Engines, queues, jobs, disks, processes and `vmalert`, each with a reason and the next step. Collected at most every 3 seconds, by the process that answers. Without PostgreSQL every token is refused with 503: `/readyz` shows the engines then.',
    auth: 'bearer',
    response: SystemHealth,
    refusals: [401, 403, 429, 503],
    sdk: 'system.health',
  }),
}
