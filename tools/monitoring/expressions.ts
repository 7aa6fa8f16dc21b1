/** PromQL expressions that both dashboards and alerts use. */

/** Share of requests with status 5xx. */
export const failedRequests =
  '(sum(rate(manc_http_request_duration_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(manc_http_request_duration_seconds_count[5m]))'

/** Time of requests, without health checks. */
export const latency = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(manc_http_request_duration_seconds_bucket{operation!="health"}[5m])))`

/** Time from the arrival of telemetry at the ingester until it was written. */
export const telemetryLag = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(manc_ingest_lag_seconds_bucket[5m])))`

/** Telemetry in memory, as a share of the limit. */
export const heldShare = (label: 'queue' | 'instance') =>
  `max by (${label}) (manc_ingest_held_bytes / on (instance) group_left () manc_ingest_held_bytes_limit)`

/** Messages that could not be handled: `rate` per second, `increase` in total. */
export const deadLetters = (change: 'rate' | 'increase', period: string) =>
  `sum(${change}(manc_rabbitmq_published_total{exchange="manc.dead"}[${period}])) or vector(0)`

/** Node's metrics have common names: taken only from processes of MANC. */
export const ofManc = (expr: string) => `${expr} * on (instance) group_left (roles) manc_build_info`
