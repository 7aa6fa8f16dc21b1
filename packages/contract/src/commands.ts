import Type, { type Static } from 'typebox'
import { EmulatedAgents, technologies } from './fleet.ts'
import { JobAccepted } from './jobs.ts'
import { operation } from './operation.ts'
import { oneOf } from './schema.ts'

/** A command as the agent receives it: over MQTT on `agent/<ap_id>/command`, over HTTP in the response to an update. */
export const CommandForAgent = Type.Object(
  {
    id: Type.String({ description: 'Id of the job. Ignore a command whose id was received before.' }),
    command: Type.String(),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Do not execute the command after this time.',
    }),
  },
  { title: 'CommandForAgent' },
)
export type CommandForAgent = Static<typeof CommandForAgent>

const degrees = (max: number) => Type.Number({ minimum: -max, maximum: max })

export const Area = Type.Object(
  { west: degrees(180), south: degrees(90), east: degrees(180), north: degrees(90) },
  { title: 'Area', description: 'In degrees. `west` beyond `east` crosses the antimeridian.' },
)

/** A command to all agents that match every given criterion. */
export const CommandToMany = Type.Object(
  {
    command: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, description: 'Required unless there are `commands`.' }),
    ),
    commands: Type.Optional(
      Type.Array(
        Type.Object(
          {
            agent_id: Type.String({ maxLength: 320 }),
            command: Type.String({ minLength: 1, maxLength: 1024 }),
          },
          { title: 'CommandToOne' },
        ),
        {
          minItems: 1,
          maxItems: 100,
          description:
            'The commands of one decision, instead of one command for a selection: all are sent, or none. No other member is allowed beside it.',
        },
      ),
    ),
    agents: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, description: 'Ids of agents.' }),
    ),
    technology: Type.Optional(oneOf(technologies)),
    area: Type.Optional(Area),
    emulated: Type.Optional(EmulatedAgents('The default is `all` with `agents`, otherwise `own`.')),
  },
  { title: 'CommandToMany' },
)
export type CommandToMany = Static<typeof CommandToMany>

export const CommandsAccepted = Type.Object(
  {
    ...JobAccepted.properties,
    agents: Type.Integer({ description: 'Number of agents that receive the command.' }),
    skipped: Type.Integer({
      description: 'Number of matching agents that do not receive it; the result has the reasons.',
    }),
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
      'For operators, administrators and applications with the scope `commands:send`. A standard user gets 403, because anyone may sign up as one. The job reports the state of the command: queued, sent, delivered, and finally succeeded, failed, timed_out, expired, superseded or skipped. 429 if too many commands of the caller wait for the agent.',
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
      'Selected by id, technology and area; at least one of these, at most 10,000 agents. Emulated agents of other callers are selected only by id or with `emulated`. Each agent gets a separate job, a part of this one. The socket reports the number of agents in each state, and finally the outcome for each: `{"agent_id", "job_number", "state", "result", "detail", "ended_at"}`. An agent that does not support the command, that another application has reserved, or for which too many commands of the caller wait, is skipped. With `commands` nothing is sent if one of them is not possible: 404, 400, or 409 if another application has reserved the agent.',
    auth: 'bearer',
    idempotent: true,
    body: CommandToMany,
    response: CommandsAccepted,
    refusals: [400, 401, 403, 404, 409, 429, 503],
  }),
}
