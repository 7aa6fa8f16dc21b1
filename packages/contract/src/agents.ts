import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, FreeForm, Nullable } from './schema.ts'

/**
 * The id becomes an MQTT topic level, a routing-key word, a broker user name and a time-series label:
 * `.` `/` `+` `#` `*` would each be an injection in one of them. MAC addresses fit.
 */
export const apIdPattern = '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$'

const AgentPassword = Type.String({ minLength: 1, maxLength: 256 })
const Configuration = FreeForm({
  'x-max-bytes': 65_536,
  description: 'Kept as sent, at most 64 KiB. The geolocation is kept inside it.',
})

export const Agent = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ap_id: Type.String({ description: 'Access-point identifier; the key of its time series.' }),
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
  { title: 'AgentUpdate', description: 'Absent and null mean unchanged; `configuration` is replaced whole.' },
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
    description: 'Needs the token of an administrator, or an enrolment token that one has made.',
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
    description: 'A new password ends every token that the agent held.',
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
