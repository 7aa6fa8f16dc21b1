import { failedRequests, latency } from '../expressions.ts'
import type { Dashboard } from '../grafana.ts'
import { one, requestRate } from './panels.ts'

export const api: Dashboard = {
  uid: 'manc-api',
  title: 'MANC API',
  description: 'Rate, errors and duration of requests, and what they wait for.',
  rows: [
    {
      title: 'Requests',
      panels: [
        requestRate,
        {
          title: 'Latency',
          description: 'Time from request to end of response, without health checks.',
          unit: 's',
          series: [
            { expr: latency(0.5), legend: 'median' },
            { expr: latency(0.99), legend: 'p99' },
          ],
        },
        one({
          title: 'Failed requests',
          description: 'Share of requests with status 5xx.',
          unit: 'percentunit',
          expr: failedRequests,
          legend: '5xx',
        }),
      ],
    },
    {
      title: 'Operations',
      panels: [
        one({
          title: 'Busiest operations',
          description: 'Requests per second of the ten busiest operations.',
          unit: 'reqps',
          expr: 'topk(10, sum by (operation) (rate(manc_http_request_duration_seconds_count[5m])))',
          legend: '{{operation}}',
        }),
        one({
          title: 'Slowest operations',
          description: 'Mean time of the ten slowest operations.',
          unit: 's',
          expr: 'topk(10, sum by (operation) (rate(manc_http_request_duration_seconds_sum[5m])) / sum by (operation) (rate(manc_http_request_duration_seconds_count[5m]) > 0))',
          legend: '{{operation}}',
        }),
      ],
    },
    {
      title: 'What requests wait for',
      panels: [
        {
          title: 'PostgreSQL connections',
          description:
            'With many waiting requests, raise MANC_DATABASE_CONNECTIONS or look for slow queries.',
          unit: 'short',
          series: [
            {
              expr: 'sum by (instance) (manc_postgres_connections{state="used"})',
              legend: '{{instance}} used',
            },
            { expr: 'manc_postgres_waiting_requests', legend: '{{instance}} waiting' },
          ],
        },
        one({
          title: 'Password hashes',
          description: 'Logins that wait for a hash. Beyond the limit, logins get 503.',
          unit: 'short',
          expr: 'manc_password_hashes{state="queued"}',
          legend: '{{instance}} {{kind}}',
        }),
        one({
          title: 'Cache hits',
          description: 'Share of look-ups that were answered from memory.',
          unit: 'percentunit',
          expr: 'sum by (cache) (rate(manc_cache_lookups_total{outcome="hit"}[5m])) / sum by (cache) (rate(manc_cache_lookups_total[5m]) > 0)',
          legend: '{{cache}}',
        }),
      ],
    },
    {
      title: 'WebSockets and the broker',
      panels: [
        one({
          title: 'Open WebSockets',
          description: 'By use.',
          unit: 'short',
          expr: 'sum by (use) (manc_sockets)',
          legend: '{{use}}',
        }),
        one({
          title: 'Authentication requests of RabbitMQ',
          description: '"unavailable" means that the database did not answer: agents retry.',
          unit: 'reqps',
          expr: 'sum by (answer) (rate(manc_broker_auth_requests_total[5m]))',
          legend: '{{answer}}',
        }),
      ],
    },
  ],
}
