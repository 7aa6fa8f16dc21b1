/** PromQL expressions that both dashboards and alerts use. */

const requests = (suffix: string, labels = '') =>
  `manc_http_request_duration_seconds_${suffix}{operation!="health"${labels}}`

/** Requests and those with status 5xx in 5 minutes, without health checks. */
export const requestCount = `sum(increase(${requests('count')}[5m]))`
export const failedRequestCount = `sum(increase(${requests('count', ',status=~"5.."')}[5m]))`

/** Share of requests with status 5xx. */
export const failedRequests = `(sum(rate(${requests('count', ',status=~"5.."')}[5m])) or vector(0)) / sum(rate(${requests('count')}[5m]))`

/** Time of requests. */
export const latency = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(${requests('bucket')}[5m])))`

/** Time from the arrival of telemetry at the ingester until it was written. */
export const telemetryLag = (quantile: number, period = '5m') =>
  `histogram_quantile(${quantile}, sum by (le) (rate(manc_ingest_lag_seconds_bucket[${period}])))`

/** Telemetry in memory, as a share of the limit. */
export const heldShare = (label: 'queue' | 'instance') =>
  `max by (${label}) (manc_ingest_held_bytes / on (instance) group_left () manc_ingest_held_bytes_limit)`

/** Messages that could not be handled: `rate` per second, `increase` in total. */
export const deadLetters = (change: 'rate' | 'increase', period: string) =>
  `sum(${change}(manc_rabbitmq_published_total{exchange="manc.dead",outcome="confirmed"}[${period}]))`

/** Node's metrics have common names: taken only from processes of MANC. */
export const ofManc = (expr: string) => `${expr} * on (instance) group_left (roles) manc_build_info`

/** Running processes of each role, 0 included. */
export const processesByRole = ['api', 'subscriber', 'ingester']
  .map(
    (role) =>
      `label_replace(count(manc_build_info{roles=~".*${role}.*"}) or vector(0), "role", "${role}", "", "")`,
  )
  .join(' or ')
