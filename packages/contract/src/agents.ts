import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, FreeForm, Nullable } from './schema.ts'

/**
 * The id is used as an MQTT topic level, a routing-key segment, a broker user name and a time-series label:
 * `.` `/` `+` `#` `*` would allow an injection into one of them. MAC addresses are valid.
 */
export const apIdPattern = '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$'

const AgentPassword = Type.String({ minLength: 1, maxLength: 256 })
const Configuration = FreeForm({
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
