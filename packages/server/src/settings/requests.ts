import Type from 'typebox'
import { count, limit, retryLater } from './kinds.ts'

/** HTTP requests and connections. */
export const requestSettings = {
  MANC_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins whose pages may call the API (CORS), comma-separated. None by default.',
  }),
  MANC_TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or networks of proxies whose `X-Forwarded-For` is trusted. None by default.',
  }),
  MANC_BODY_LIMIT_BYTES: count(1_048_576, 'Maximum size of a request body.'),
  MANC_REFUSED_BODY_BYTES_PER_MINUTE: limit(
    8_388_608,
    {
      owner: 'user, app, agent or address',
      response: '429 with `Retry-After`, and the connection is closed',
    },
    'Maximum size of the bodies of one caller, or without a token from one address, in requests that are answered with 4xx, per replica. Beyond it, further requests with a body above 64 KiB are refused. Bodies up to 64 KiB do not count.',
  ),
  MANC_RATE_ANONYMOUS_PER_MINUTE: limit(
    30_000,
    { owner: 'address', response: retryLater },
    'Maximum number of requests without a token from one address, per replica.',
  ),
  MANC_RATE_CALLER_PER_MINUTE: limit(
    30_000,
    { owner: 'user or app', response: retryLater },
    'Maximum number of requests of one user or app, per replica.',
  ),
  MANC_RATE_AGENT_PER_MINUTE: limit(
    6000,
    { owner: 'agent', response: retryLater },
    'Maximum number of requests of one agent, per replica.',
  ),
  MANC_CONCURRENT_REQUESTS: limit(
    48,
    { owner: 'operator, admin, app or agent', response: 'waits, then 429 with `Retry-After`' },
    'Maximum number of requests of one operator, administrator, app or agent that a replica processes at a time. Active callers share it, with at least 4 for each; while the replica is busy they also have equal shares of its processing time. Up to 1,000 further requests wait, for 30 s at most.',
  ),
  MANC_USER_CONCURRENT_REQUESTS: limit(
    6,
    { owner: 'standard user or address', response: 'waits, then 429 with `Retry-After`' },
    'Maximum number of requests of one standard user, or without a token from one address, that a replica processes at a time; logins of an address count separately. While the replica is busy, each user and each address has an equal share of its processing time. Up to 1,000 further requests wait, for 30 s at most.',
  ),
  MANC_PROMETHEUS_QUERIES: limit(
    3,
    { owner: 'replica', response: 'waits, then 429 with `Retry-After`' },
    'Maximum number of queries of the Prometheus API, and of summaries over many agents, that a replica sends to the metrics store at a time; one caller has at most one less. Further queries wait, for 10 s at most. The store evaluates 4 queries at a time on two processors, charts included.',
  ),
  MANC_CONNECTIONS_PER_ADDRESS: limit(
    5000,
    { owner: 'address', response: '429 with `Retry-After`, and the connection is closed' },
    'Maximum number of open HTTP connections from one address, per replica, WebSockets included. Trusted proxies have no limit.',
  ),
}
