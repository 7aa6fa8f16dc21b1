import Type, { type Static } from 'typebox'
import { CommandForAgent } from './commands.ts'
import { operation } from './operation.ts'

export const UpdateAccepted = Type.Object(
  {
    status: Type.Literal('success'),
    detail: Type.String({ description: 'Description of the result.' }),
    accepted: Type.Integer({ description: 'Number of stored samples.' }),
    commands: Type.Array(CommandForAgent, { description: 'Pending commands for this agent.' }),
  },
  { title: 'UpdateAccepted' },
)
export type UpdateAccepted = Static<typeof UpdateAccepted>

export const updateOperations = {
  sendUpdate: operation({
    id: 'sendUpdate',
    number: 21,
    method: 'POST',
    path: '/api/v1/agent_update/update',
    tag: 'Agent operations',
    summary: 'Onboard, or send telemetry',
    description:
      'A free-form object. Recognised: `ap_id`, `configuration`, `payload` (also `data`, `metrics`, `telemetry`), `ts` (also `timestamp`, `time`; RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970), `samples` (a list of `{ts, payload}`), `results` (a list of `{id, state, result}`: outcomes of commands). A body with none of these is one sample. 200 means that the samples are stored durably.',
    auth: 'bearer',
    body: Type.Record(Type.String(), Type.Unknown()),
    response: UpdateAccepted,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.sendUpdate',
  }),
}
