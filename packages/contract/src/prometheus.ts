import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'

/** Of a query or a selector. The store refuses more than 16 KiB. */
const maxQueryLength = 8192
const maxSelectors = 32

const Time = Type.Optional(
  Type.String({ maxLength: 64, description: 'RFC 3339, or seconds since 1970 with decimals.' }),
)
const Query = Type.String({
  minLength: 1,
  maxLength: maxQueryLength,
  description: 'An expression in MetricsQL, which includes PromQL.',
})
const Timeout = Type.Optional(
  Type.String({
    maxLength: 32,
    description: 'Seconds, or a duration such as `5s`. At most 10 s, the default.',
  }),
)
const Selectors = Type.Array(Type.String({ minLength: 1, maxLength: maxQueryLength }), {
  minItems: 1,
  maxItems: maxSelectors,
  description: 'Selectors of series, repeated.',
})
const Limit = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Of the results. At most 10,000, the default; 0 is the default as well.',
  }),
)

const InstantQuery = { query: Query, time: Time, timeout: Timeout }
const RangeQuery = {
  query: Query,
  start: Type.String({ maxLength: 64, description: 'RFC 3339, or seconds since 1970 with decimals.' }),
  end: Type.String({ maxLength: 64, description: 'The same.' }),
  step: Type.String({
    maxLength: 32,
    description: 'Seconds, or a duration such as `15s`. At most 11,000 steps.',
  }),
  timeout: Timeout,
}
const SeriesQuery = { 'match[]': Selectors, start: Time, end: Time, limit: Limit }
const LabelsQuery = { 'match[]': Type.Optional(Selectors), start: Time, end: Time, limit: Limit }

export const PrometheusResult = Type.Object(
  { status: Type.Literal('success'), data: Type.Unknown() },
  { title: 'PrometheusResult' },
)
export type PrometheusResult = Static<typeof PrometheusResult>

/** The store's responses as they are: errors have `status`, `errorType` and `error` of Prometheus besides `detail`. */
const ofPrometheus = {
  tag: 'Prometheus',
  auth: 'bearer',
  response: PrometheusResult,
  refusals: [401, 403, 429, 503],
  takesBasic: true,
} as const

const path = '/api/v1/prometheus/api/v1'

export const prometheusOperations = {
  prometheusQuery: operation({
    ...ofPrometheus,
    id: 'prometheusQuery',
    method: 'GET',
    path: `${path}/query`,
    summary: 'Evaluate an expression at one time',
    description:
      'The series of the agents that the caller may see. Apps need `metrics:read` and `history:read`, also for the other operations of this section.',
    query: Type.Object(InstantQuery),
  }),
  prometheusQueryForm: operation({
    ...ofPrometheus,
    id: 'prometheusQueryForm',
    method: 'POST',
    path: `${path}/query`,
    summary: 'Evaluate an expression at one time, with a form',
    form: Type.Object(InstantQuery, { title: 'PrometheusInstantQuery' }),
  }),
  prometheusQueryRange: operation({
    ...ofPrometheus,
    id: 'prometheusQueryRange',
    method: 'GET',
    path: `${path}/query_range`,
    summary: 'Evaluate an expression at each step of a period',
    query: Type.Object(RangeQuery),
  }),
  prometheusQueryRangeForm: operation({
    ...ofPrometheus,
    id: 'prometheusQueryRangeForm',
    method: 'POST',
    path: `${path}/query_range`,
    summary: 'Evaluate an expression at each step of a period, with a form',
    form: Type.Object(RangeQuery, { title: 'PrometheusRangeQuery' }),
  }),
  prometheusSeries: operation({
    ...ofPrometheus,
    id: 'prometheusSeries',
    method: 'GET',
    path: `${path}/series`,
    summary: 'List the series that match one of the selectors',
    query: Type.Object(SeriesQuery),
  }),
  prometheusSeriesForm: operation({
    ...ofPrometheus,
    id: 'prometheusSeriesForm',
    method: 'POST',
    path: `${path}/series`,
    summary: 'List the series that match one of the selectors, with a form',
    form: Type.Object(SeriesQuery, { title: 'PrometheusSeriesQuery' }),
  }),
  prometheusLabels: operation({
    ...ofPrometheus,
    id: 'prometheusLabels',
    method: 'GET',
    path: `${path}/labels`,
    summary: 'List the names of labels',
    query: Type.Object(LabelsQuery),
  }),
  prometheusLabelsForm: operation({
    ...ofPrometheus,
    id: 'prometheusLabelsForm',
    method: 'POST',
    path: `${path}/labels`,
    summary: 'List the names of labels, with a form',
    form: Type.Object(LabelsQuery, { title: 'PrometheusLabelsQuery' }),
  }),
  prometheusLabelValues: operation({
    ...ofPrometheus,
    id: 'prometheusLabelValues',
    method: 'GET',
    path: `${path}/label/{label}/values`,
    summary: 'List the values of a label',
    params: Type.Object({
      label: Type.String({ maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
    }),
    query: Type.Object(LabelsQuery),
  }),
  prometheusBuildInfo: operation({
    ...ofPrometheus,
    id: 'prometheusBuildInfo',
    method: 'GET',
    path: `${path}/status/buildinfo`,
    summary: 'Read the version of Prometheus that this interface corresponds to',
  }),
  prometheusMetadata: operation({
    ...ofPrometheus,
    id: 'prometheusMetadata',
    method: 'GET',
    path: `${path}/metadata`,
    summary: 'List the types of metrics, of which there are none',
  }),
}
