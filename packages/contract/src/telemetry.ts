import Type, { type Static } from 'typebox'
import { Agent } from './agents.ts'
import { operation } from './operation.ts'
import { Page } from './schema.ts'
import { Window } from './window.ts'

export const AgentDetails = Type.Object(
  {
    ...Agent.properties,
    onboard: Type.Boolean({ description: 'Whether the agent has sent an update itself.' }),
  },
  { title: 'AgentDetails' },
)
export type AgentDetails = Static<typeof AgentDetails>

export const Point = Type.Object(
  { ts: Type.String({ format: 'date-time' }), value: Type.Number() },
  { title: 'Point' },
)

export const Series = Type.Object({ metric: Type.String(), points: Type.Array(Point) }, { title: 'Series' })

const ofOneAgent = {
  agent_id: Type.String({ description: 'The `ap_id`.' }),
  window_minutes: Type.Integer({ description: 'The window in whole minutes, rounded up.' }),
}

export const AgentData = Type.Object(
  {
    key: Type.String({ description: 'The measurement, `agent/<ap_id>/data`.' }),
    ...ofOneAgent,
    series: Type.Array(Series),
  },
  { title: 'AgentData' },
)

export const AgentSeries = Type.Object(
  { ...ofOneAgent, series: Type.Array(Series) },
  { title: 'AgentSeries' },
)

export const AgentMetrics = Type.Object(
  {
    ...ofOneAgent,
    metrics: Type.Array(
      Type.Object(
        { name: Type.String(), label: Type.String({ description: 'Readable name with the unit.' }) },
        { title: 'Metric' },
      ),
    ),
  },
  { title: 'AgentMetrics' },
)
export type AgentMetrics = Static<typeof AgentMetrics>

const OneAgent = {
  agent: Type.String({ description: 'The `ap_id` of the agent.' }),
  window: Type.Optional(Window),
}

export const telemetryOperations = {
  listAgentDetails: operation({
    id: 'listAgentDetails',
    number: 26,
    method: 'GET',
    path: '/api/v1/metrics/agent_details',
    tag: 'Metrics',
    summary: 'List all agents with their configuration',
    auth: 'bearer',
    query: Page,
    response: Type.Array(AgentDetails),
    refusals: [401, 403, 429, 503],
    sdk: 'agents.list',
  }),
  getAgentData: operation({
    id: 'getAgentData',
    number: 27,
    method: 'GET',
    path: '/api/v1/metrics/agent_data',
    tag: 'Metrics',
    summary: 'Read all metrics of one agent',
    description:
      'Ordered by name, at most 1,000 metrics. Up to 2,000 points of a series are raw, more are averaged; at most 200,000 points in total.',
    auth: 'bearer',
    query: Type.Object(OneAgent),
    response: AgentData,
    refusals: [401, 403, 404, 429, 503],
  }),
  getAgentMultiMetricData: operation({
    id: 'getAgentMultiMetricData',
    number: 28,
    method: 'GET',
    path: '/api/v1/metrics/agent_multi_metric_data',
    tag: 'Metrics',
    summary: 'Read selected metrics of one agent, for a live chart',
    description:
      'One entry for each name, in the order of the request. Up to 2,000 points of a series are raw, more are averaged. Can be polled once a second.',
    auth: 'bearer',
    query: Type.Object({
      agent: OneAgent.agent,
      metrics: Type.Array(Type.String(), {
        description: 'Metric names, repeated or comma-separated. At most 256.',
      }),
      window: OneAgent.window,
    }),
    response: AgentSeries,
    refusals: [401, 403, 404, 429, 503],
  }),
  getAgentMetrics: operation({
    id: 'getAgentMetrics',
    number: 29,
    method: 'GET',
    path: '/api/v1/metrics/agent_metrics',
    tag: 'Metrics',
    summary: 'List the metrics of one agent',
    auth: 'bearer',
    query: Type.Object(OneAgent),
    response: AgentMetrics,
    refusals: [401, 403, 404, 429, 503],
  }),
}
