import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, FreeForm, Nullable } from './schema.ts'

/**
 * The id is used as an MQTT topic level, a routing-key segment, a broker user name and a time-series label:
 * `.` `/` `+` `#` `*` would allow an injection into one of them. MAC addresses are valid.
 */
export const apIdPattern = '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$'

const AgentPassword = Type.String({ minLength: 1, maxLength: 256 })
export const Configuration = FreeForm({
  'x-max-bytes': 65_536,
  description: 'Stored as sent, at most 64 KiB. Contains the geolocation.',
})

export const Agent = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ap_id: Type.String({ description: 'Identifier of the access point and key of its time series.' }),
    configuration: Configuration,
  },
  { title: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const AgentCreate = Type.Object(
  { ap_id: Type.String({ pattern: apIdPattern }), password: AgentPassword, configuration: Configuration },
  { title: 'AgentCreate' },
)
export type AgentCreate = Static<typeof AgentCreate>

export const AgentUpdate = Type.Object(
  {
    password: Type.Optional(Nullable(AgentPassword)),
    configuration: Type.Optional(Nullable(Configuration)),
  },
  {
    title: 'AgentUpdate',
    description: 'Absent and null mean unchanged; `configuration` is replaced as a whole.',
  },
)
export type AgentUpdate = Static<typeof AgentUpdate>

export const AgentRejections = Type.Object(
  {
    ap_id: Type.String(),
    suspended_until: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'The broker refuses logins of the agent until then, because it exceeded a limit. Null if it is not suspended.',
      }),
    ),
    last_suspension: Nullable(
      Type.Object(
        { at: Type.String({ format: 'date-time' }), reason: Type.String() },
        { title: 'AgentSuspension', description: 'The newest one, for a day after its end.' },
      ),
    ),
    rejected: Type.Array(
      Type.Object(
        {
          reason: Type.String(),
          samples: Type.Integer({
            description: 'Number of samples, or of messages where they were not read.',
          }),
          last_at: Type.String({ format: 'date-time' }),
        },
        { title: 'RejectedSamples' },
      ),
      {
        description:
          'What the agent sent and was not stored, by reason, newest first. A reason is listed for 30 days after its last sample.',
      },
    ),
  },
  { title: 'AgentRejections' },
)
export type AgentRejections = Static<typeof AgentRejections>

const AgentPath = Type.Object({ ap_id: Type.String() })

export const agentOperations = {
  createAgentPublic: operation({
    id: 'createAgentPublic',
    number: 12,
    method: 'POST',
    path: '/api/v1/agents/public',
    tag: 'Agents',
    summary: 'Register an agent with an enrolment token',
    description: 'Requires the token of an administrator or an enrolment token.',
    auth: 'bearer',
    body: AgentCreate,
    response: Agent,
    refusals: [401, 403, 409, 429, 503],
  }),
  createAgent: operation({
    id: 'createAgent',
    number: 13,
    method: 'POST',
    path: '/api/v1/agents/',
    tag: 'Agents',
    summary: 'Register an agent',
    auth: 'bearer',
    body: AgentCreate,
    response: Agent,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'agents.register',
  }),
  getAgent: operation({
    id: 'getAgent',
    number: 14,
    method: 'GET',
    path: '/api/v1/agents/{ap_id}',
    tag: 'Agents',
    summary: 'Read one agent',
    auth: 'bearer',
    params: AgentPath,
    response: Agent,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.get',
  }),
  getAgentRejections: operation({
    id: 'getAgentRejections',
    method: 'GET',
    path: '/api/v1/agents/{ap_id}/rejections',
    tag: 'Agents',
    summary: 'Read what an agent sent and was rejected, and whether it is suspended',
    description:
      'Over MQTT an agent gets no response: samples that are rejected after the broker has acknowledged them are counted here.',
    auth: 'bearer',
    params: AgentPath,
    response: AgentRejections,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.rejections',
  }),
  updateAgent: operation({
    id: 'updateAgent',
    number: 15,
    method: 'PUT',
    path: '/api/v1/agents/{ap_id}',
    tag: 'Agents',
    summary: "Change an agent's password or configuration",
    description: 'A new password revokes all tokens of the agent.',
    auth: 'bearer',
    params: AgentPath,
    body: AgentUpdate,
    response: Agent,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.update',
  }),
  deleteAgent: operation({
    id: 'deleteAgent',
    number: 16,
    method: 'DELETE',
    path: '/api/v1/agents/{ap_id}',
    tag: 'Agents',
    summary: 'Delete an agent',
    auth: 'bearer',
    params: AgentPath,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.remove',
  }),
}
