import Type, { type Static } from 'typebox'
import { technologies } from './fleet.ts'
import { JobAccepted } from './jobs.ts'
import { operation } from './operation.ts'
import { oneOf } from './schema.ts'

/** What an agent gets: over MQTT on `agent/<ap_id>/command`, over HTTP in the answer to an update. */
export const CommandForAgent = Type.Object(
  {
    id: Type.String({ description: 'Of the job. An id that has been seen before is to be ignored.' }),
    command: Type.String(),
    expires_at: Type.String({ format: 'date-time', description: 'Not to be carried out after this.' }),
  },
  { title: 'CommandForAgent' },
)
export type CommandForAgent = Static<typeof CommandForAgent>

const degrees = (most: number) => Type.Number({ minimum: -most, maximum: most })

/** Agents that fit everything that is said here. */
export const CommandToMany = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 1024 }),
    agents: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, description: 'Ids of agents.' }),
    ),
    technology: Type.Optional(oneOf(technologies)),
    area: Type.Optional(
      Type.Object(
        { west: degrees(180), south: degrees(90), east: degrees(180), north: degrees(90) },
        { title: 'Area', description: 'In degrees. `west` beyond `east` crosses the antimeridian.' },
      ),
    ),
  },
  { title: 'CommandToMany' },
)
export type CommandToMany = Static<typeof CommandToMany>

export const CommandsAccepted = Type.Object(
  {
    ...JobAccepted.properties,
    agents: Type.Integer({ description: 'How many agents it goes to.' }),
    skipped: Type.Integer({ description: 'How many were chosen and get none; the result says why.' }),
  },
  { title: 'CommandsAccepted' },
)
export type CommandsAccepted = Static<typeof CommandsAccepted>

export const commandOperations = {
  sendCommand: operation({
    id: 'sendCommand',
    number: 24,
    method: 'POST',
    path: '/api/v1/send_command',
    tag: 'Agent operations',
    summary: 'Send a command to one agent',
    description:
      'The job tells what becomes of it: queued, sent, delivered, and then succeeded, failed, timed_out, expired or superseded.',
    auth: 'bearer',
    idempotent: true,
    query: Type.Object({ agent_id: Type.String(), command: Type.String() }),
    response: JobAccepted,
    refusals: [400, 401, 403, 404, 409, 429, 503],
  }),
  sendCommands: operation({
    id: 'sendCommands',
    method: 'POST',
    path: '/api/v1/commands',
    tag: 'Agent operations',
    summary: 'Send one command to many agents',
    description:
      'Chosen by id, technology and area; at least one of these, at most 10,000 agents. Each gets a job of its own, a part of this one. The socket tells how many are in which state, and in the end what became of each: `{"agent_id", "job_number", "state", "result", "detail"}`. An agent that does not know the command, or that another application holds, is skipped.',
    auth: 'bearer',
    idempotent: true,
    body: CommandToMany,
    response: CommandsAccepted,
    refusals: [400, 401, 403, 404, 429, 503],
  }),
}
