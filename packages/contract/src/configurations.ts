import Type, { type Static } from 'typebox'
import { Configuration } from './agents.ts'
import { operation } from './operation.ts'
import { Nullable } from './schema.ts'

const version = Type.Integer({ description: 'From 1, for each agent.' })

export const ConfigurationVersion = Type.Object(
  {
    version,
    at: Type.String({ format: 'date-time', description: 'When it became the configuration of the agent.' }),
    author_kind: Nullable(
      Type.String({ description: 'For example `user` or `agent`. Null: from before versions were stored.' }),
    ),
    author: Nullable(Type.String({ description: 'Name of the caller that set it.' })),
    bytes: Type.Integer(),
    current: Type.Boolean({ description: 'Whether it is the configuration of the agent now.' }),
  },
  { title: 'ConfigurationVersion' },
)
export type ConfigurationVersion = Static<typeof ConfigurationVersion>

export const ConfigurationVersionDetails = Type.Object(
  { ...ConfigurationVersion.properties, configuration: Configuration },
  { title: 'ConfigurationVersionDetails' },
)
export type ConfigurationVersionDetails = Static<typeof ConfigurationVersionDetails>

export const configurationOperations = {
  listAgentConfigurations: operation({
    id: 'listAgentConfigurations',
    method: 'GET',
    path: '/api/v1/agents/{ap_id}/configurations',
    tag: 'Agents',
    summary: 'List the stored versions of the configuration of an agent, newest first',
    description:
      'A version is stored with each change, by a user or by the agent itself. The newest `MANC_CONFIGURATION_VERSIONS` are kept, up to `MANC_CONFIGURATION_VERSIONS_BYTES`. To restore one, send it with `PUT /api/v1/agents/{ap_id}`. An agent sends its own configuration when it connects, which replaces the stored one where they differ.',
    auth: 'bearer',
    params: Type.Object({ ap_id: Type.String() }),
    response: Type.Array(ConfigurationVersion),
    refusals: [401, 403, 404, 429, 503],
    sdk: 'agents.configurations',
  }),
  getAgentConfiguration: operation({
    id: 'getAgentConfiguration',
    method: 'GET',
    path: '/api/v1/agents/{ap_id}/configurations/{version}',
    tag: 'Agents',
    summary: 'Read one version of the configuration of an agent',
    auth: 'bearer',
    params: Type.Object({
      ap_id: Type.String(),
      version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    }),
    response: ConfigurationVersionDetails,
    refusals: [401, 403, 404, 429, 503],
  }),
}
