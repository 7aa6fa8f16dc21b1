import Type, { type Static } from 'typebox'
import { Agent } from './agents.ts'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, Page } from './schema.ts'
import { technologies } from './technologies.ts'
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

const Time = (description: string) => Type.String({ format: 'date-time', description })

export const TelemetrySeries = Type.Object(
  {
    agent_id: ofOneAgent.agent_id,
    from: Time('Start of the period.'),
    to: Time('End of the period.'),
    series: Type.Array(Series),
  },
  { title: 'TelemetrySeries' },
)
export type TelemetrySeries = Static<typeof TelemetrySeries>

const SummaryPoint = Type.Object(
  {
    ts: Time('Start of the step.'),
    p10: Type.Number(),
    p50: Type.Number({ description: 'The median.' }),
    p90: Type.Number(),
  },
  {
    title: 'SummaryPoint',
    description: 'Percentiles over the agents, of the mean of each agent in the step.',
  },
)

const Spread = Type.Object(
  {
    agents: Type.Integer({ description: 'Number of agents that have values in the period.' }),
    min: Type.Number(),
    p10: Type.Number(),
    p50: Type.Number(),
    mean: Type.Number(),
    p90: Type.Number(),
    p95: Type.Number(),
    max: Type.Number(),
  },
  { title: 'Spread', description: 'Over the agents, of the mean of each agent in the period.' },
)

export const TelemetrySummary = Type.Object(
  {
    from: Time('Start of the period.'),
    to: Time('End of the period.'),
    step_s: Type.Integer({ description: 'Length of a step in seconds.' }),
    agents: Type.Integer({ description: 'Number of agents that match.' }),
    read: Type.Integer({
      description:
        'Number of these agents that were read. Fewer than `agents` if the period has too many samples: then they are chosen evenly.',
    }),
    series: Type.Array(
      Type.Object(
        { metric: Type.String(), points: Type.Array(SummaryPoint), spread: Nullable(Spread) },
        { title: 'SummarySeries' },
      ),
      { description: 'In the order of the request. `spread` is null without values.' },
    ),
  },
  { title: 'TelemetrySummary' },
)
export type TelemetrySummary = Static<typeof TelemetrySummary>

const MetricNames = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    minItems: 1,
    maxItems,
    description: 'Names of metrics. Can be repeated.',
  })

const period = {
  from: MomentWith('Start of the period. The longest period is the retention of telemetry.'),
  to: Type.Optional(MomentWith('End of the period. The default is now.')),
}

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
  getTelemetrySeries: operation({
    id: 'getTelemetrySeries',
    method: 'GET',
    path: '/api/v1/telemetry/series',
    tag: 'Metrics',
    summary: 'Read selected metrics of one agent in a period',
    description:
      'One entry for each name, in the order of the request. Up to 2,000 points of a series are raw, more are averaged.',
    auth: 'bearer',
    query: Type.Object({ agent: OneAgent.agent, metrics: MetricNames(64), ...period }),
    response: TelemetrySeries,
    refusals: [401, 403, 404, 429, 503],
  }),
  getTelemetrySummary: operation({
    id: 'getTelemetrySummary',
    method: 'GET',
    path: '/api/v1/telemetry/summary',
    tag: 'Metrics',
    summary: 'Read the median and the spread of metrics over many agents in a period',
    description:
      'The metrics store computes the percentiles. Over the agents of a technology, or over the agents that are named; an app gets those that its permissions cover.',
    auth: 'bearer',
    query: Type.Object({
      technology: Type.Optional(oneOf(technologies, 'Agents of this technology.')),
      agent: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
          maxItems: 100,
          description: 'Agents by `ap_id` instead of a technology. Can be repeated.',
        }),
      ),
      metrics: MetricNames(8),
      ...period,
      step: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_678_400,
          description:
            'Length of a step in seconds; at most 1,000 steps. The default is about 1/240 of the period.',
        }),
      ),
      emulated: Type.Optional(EmulatedAgents('The default is `own`. It does not apply to named agents.')),
    }),
    response: TelemetrySummary,
    refusals: [401, 403, 429, 503],
  }),
}
