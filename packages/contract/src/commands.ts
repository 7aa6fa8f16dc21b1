import Type, { type Static } from 'typebox'
import { JobAccepted } from './jobs.ts'
import { operation } from './operation.ts'

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
}
