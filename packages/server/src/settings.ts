import Type from 'typebox'

export const roles = ['api', 'subscriber', 'ingester'] as const
export type Role = (typeof roles)[number]

const seconds = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 1, maximum: 31_536_000, description })
const count = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 1, maximum: 1_000_000_000_000, description })
/** A limit that keeps one owner from degrading service for the others. */
interface Limit {
  /** Whose use is counted. */
  owner: string
  /** What the owner gets beyond the limit. */
  response: string
}
/** `docs/operations/limits.md` lists these settings; `Limits` counts how often each is reached. */
const limit = (byDefault: number, { owner, response }: Limit, description: string) =>
  Type.Integer({
    default: byDefault,
    minimum: 1,
    maximum: 1_000_000_000_000,
    description,
    limit: { owner, response },
  })
const retryLater = '429 with `Retry-After`'
const suspension = 'disconnected, and logins at the broker are refused for 10 s up to 15 minutes'
const secret = (description: string) => Type.String({ minLength: 32, description, writeOnly: true })
const port = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 0, maximum: 65_535, description })

/** All settings, by their environment variable. `docs/configuration.md` is generated from this. */
export const Settings = Type.Object({
  MANC_ROLES: Type.String({
    default: roles.join(','),
    pattern: `^(${roles.join('|')})(,(${roles.join('|')}))*$`,
    description: 'The roles of this process, comma-separated. `--role` overrides it.',
  }),
  MANC_HOST: Type.String({ default: '0.0.0.0', description: 'Address of the public listener.' }),
  MANC_PORT: port(8080, 'Port of the public listener; 0 picks a free one.'),
  MANC_INTERNAL_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address of the internal listener (`/metrics`, health, broker authentication). Must not be reachable by the public.',
  }),
  MANC_INTERNAL_PORT: port(8081, 'Port of the internal listener; 0 picks a free one.'),
  MANC_METRICS_TOKEN: Type.Optional(
    secret('Bearer token that `/metrics` of the internal listener requires. Without it, none is required.'),
  ),
  MANC_PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    pattern: '^https?://[^\\s]+$',
    description: 'Public URL of this server; links in e-mails begin with it.',
  }),
  MANC_DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    writeOnly: true,
    description: 'PostgreSQL, for example `postgres://manc:…@db:5432/manc`.',
  }),
  MANC_DATABASE_CONNECTIONS: count(
    20,
    'Maximum number of PostgreSQL connections of one process, plus one for small reads.',
  ),
  MANC_RABBITMQ_URL: Type.String({
    pattern: '^amqps?://',
    writeOnly: true,
    description: 'RabbitMQ, for example `amqp://manc:…@broker:5672`.',
  }),
  MANC_RABBITMQ_MANAGEMENT_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      writeOnly: true,
      description:
        "RabbitMQ's management API, with a user that has the tag `administrator`, for example `http://manc:…@broker:15672`. Without it, an agent that is deleted or gets a new password stays connected to the broker until it disconnects.",
    }),
  ),
  MANC_BROKER_SECRET: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{32,128}$',
      writeOnly: true,
      description:
        'Lets a RabbitMQ on another machine authenticate agents: the paths in its configuration are then `/broker/<secret>/user` and so on, on the internal listener. 32 to 128 letters, digits, `-` and `_`. Without it, only requests from this machine are answered, at `/broker/user`.',
    }),
  ),
  MANC_VICTORIA_URL: Type.String({
    pattern: '^https?://',
    description: 'VictoriaMetrics, for example `http://metrics:8428`.',
  }),
  MANC_TOKEN_KEY: secret('Signs access tokens. At least 32 characters; the same on every replica.'),
  MANC_TOKEN_KEY_NEXT: Type.Optional(
    secret(
      'While the key is rotated: the next `MANC_TOKEN_KEY`. Its tokens are accepted, so that some replicas may use it already.',
    ),
  ),
  MANC_TOKEN_KEY_PREVIOUS: Type.Optional(
    secret(
      'After the key was rotated: the former `MANC_TOKEN_KEY`. Its tokens are accepted until they expire.',
    ),
  ),
  MANC_DATA_KEY: secret(
    'Encrypts API keys and keys the hashes of generated secrets. At least 32 characters; the same on every replica. If it is lost, the API keys are lost.',
  ),
  MANC_DATA_KEY_NEXT: Type.Optional(
    secret(
      'While the key is rotated: the next `MANC_DATA_KEY`. Data under it can be read, so that some replicas may use it already.',
    ),
  ),
  MANC_DATA_KEY_PREVIOUS: Type.Optional(
    secret(
      'After the key was rotated: the former `MANC_DATA_KEY`. Data under it can be read. `manc-server keys status` shows whether it is still needed.',
    ),
  ),
  MANC_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      writeOnly: true,
      description:
        'Mail server, for example `smtp://user:…@mail:587`. Without it, no password-recovery e-mail is sent.',
    }),
  ),
  MANC_MAIL_FROM: Type.String({ default: 'MANC <manc@localhost>', description: 'Sender of e-mails.' }),
  MANC_BOOTSTRAP_ADMIN_USERNAME: Type.Optional(
    Type.String({ description: 'If there is no administrator, one with this username is created at start.' }),
  ),
  MANC_BOOTSTRAP_ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 256,
      writeOnly: true,
      description: 'Password of that administrator, at least 8 characters.',
    }),
  ),
  MANC_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins whose pages may call the API (CORS), comma-separated. None by default.',
  }),
  MANC_TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or networks of proxies whose `X-Forwarded-For` is trusted. None by default.',
  }),
  MANC_LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description:
      'Minimum level that is logged: trace, debug, info, warn, error or silent. Successful requests are `debug`.',
  }),
  MANC_TRACES_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description:
        'Where OpenTelemetry traces are sent to as OTLP/HTTP, for example `http://collector:4318/v1/traces`. Without it, nothing is traced.',
    }),
  ),
  MANC_TRACES_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[\\w-]+=[^,]+(,[\\w-]+=[^,]+)*$',
      writeOnly: true,
      description:
        'Headers for the receiver of traces, for example `authorization=Bearer …`; several are comma-separated.',
    }),
  ),
  MANC_TRACES_RATIO: Type.Number({
    default: 0.1,
    minimum: 0,
    maximum: 1,
    description: 'Part of the requests that are traced, from 0 to 1.',
  }),
  MANC_DRAIN_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 600,
    description:
      'When an `api` process is stopped, `/readyz` fails for this time before the listeners close, so that a load balancer takes the process out. Set it to a little more than the interval of its checks.',
  }),
  MANC_BODY_LIMIT_BYTES: count(1_048_576, 'Maximum size of a request body.'),
  MANC_USER_TOKEN_SECONDS: seconds(1800, "Lifetime of a user's access token."),
  MANC_SESSION_SECONDS: seconds(
    43_200,
    "Maximum duration of a user's session. Until then its token can be renewed without the password.",
  ),
  MANC_AGENT_TOKEN_SECONDS: seconds(3600, "Lifetime of an agent's access token."),
  MANC_APP_TOKEN_SECONDS: seconds(3600, "Lifetime of a third-party app's access token."),
  MANC_APP_DEFAULT: Type.Enum(['interface', 'none'], {
    default: 'interface',
    description:
      'Scopes of an app whose permissions do not list its `scopes`. `interface`: those for the purposes that the interface describes (`agents:read`, `metrics:read`, `history:read`, `commands:send`, `emulator:spinup`). `none`: no scope. Use `none` in production, so that each right is granted explicitly.',
  }),
  MANC_RESET_TOKEN_SECONDS: seconds(600, 'Lifetime of a password-reset token.'),
  MANC_LOGIN_FREE_FAILURES: limit(
    10,
    { owner: 'account and address', response: retryLater },
    'Failed logins of one account from one address before the next attempt has to wait. At the broker, which sends no address: of one agent.',
  ),
  MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT: limit(
    25,
    { owner: 'account', response: retryLater },
    'Failed logins of one account from all addresses before the next attempt has to wait. Addresses from which the account has logged in recently are exempt.',
  ),
  MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: limit(
    300,
    { owner: 'address', response: retryLater },
    'Failed logins from one address before the next attempt has to wait.',
  ),
  MANC_LOGIN_WINDOW_SECONDS: seconds(900, 'Failed logins no longer count after this time without another.'),
  MANC_LOGIN_MAX_WAIT_SECONDS: seconds(
    900,
    'Maximum wait after failed logins; it starts at 1 s and doubles with each failure.',
  ),
  MANC_PASSWORD_HASHES_PER_OWNER: limit(
    100,
    { owner: 'address; at the broker the agent; for new passwords the caller', response: retryLater },
    'Maximum number of passwords of one owner that wait to be checked or hashed, per replica. Owners take turns.',
  ),
  MANC_PASSWORD_CHANGES_PER_HOUR: limit(
    20,
    { owner: 'user or agent', response: retryLater },
    "Maximum number of requests that change the caller's own password, per replica.",
  ),
  MANC_SIGNUP: Type.Enum(['open', 'closed'], {
    default: 'open',
    description:
      '`open`: anyone may sign up and becomes a standard user. `closed`: only administrators create accounts; sign-up answers 403.',
  }),
  MANC_CURRENT_PASSWORD: Type.Enum(['optional', 'required'], {
    default: 'optional',
    description:
      'Whether users who change their own password must send the password in use (`current_password`). The console and the CLI always send it.',
  }),
  MANC_SIGNUPS_PER_MINUTE: limit(
    300,
    { owner: 'address', response: retryLater },
    'Maximum number of signups from one address, per replica.',
  ),
  MANC_RECOVERIES_PER_HOUR: limit(
    5,
    { owner: 'user', response: retryLater },
    'Maximum number of password-recovery requests for one account.',
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
    { owner: 'user, app, agent or address', response: 'waits, then 429 with `Retry-After`' },
    'Maximum number of requests of one caller that a replica processes at a time. Active callers share it, with at least 4 for each. A standard user and an address have an eighth. Up to 1,000 further requests wait.',
  ),
  MANC_CONNECTIONS_PER_ADDRESS: limit(
    5000,
    { owner: 'address', response: '429 with `Retry-After`, and the connection is closed' },
    'Maximum number of open HTTP connections from one address, per replica, WebSockets included. Trusted proxies have no limit.',
  ),
  MANC_TELEMETRY_DAYS: count(
    395,
    'Retention of telemetry in days; older samples are refused. Set the same retention in VictoriaMetrics.',
  ),
  MANC_AGENT_MESSAGES_PER_SECOND: limit(
    10,
    { owner: 'agent', response: suspension },
    'Messages of one agent per second over MQTT, on average.',
  ),
  MANC_AGENT_SAMPLES_PER_SECOND: limit(
    100,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Samples of one agent per second, on average; over HTTP per replica.',
  ),
  MANC_AGENT_BYTES_PER_SECOND: limit(
    32_768,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Bytes of samples of one agent per second, on average; over HTTP per replica. Of the message and of the lines that are written to VictoriaMetrics, the larger counts.',
  ),
  MANC_AGENT_BACKLOG_SECONDS: seconds(
    1800,
    'What an agent may send at once, for example after an outage: its messages, samples and bytes per second times this. A suspended agent has as much again for what is on its way.',
  ),
  MANC_AGENT_SAMPLES_PER_MESSAGE: limit(
    10_000,
    { owner: 'agent', response: '422; over MQTT the message is rejected' },
    'Samples in one message or request.',
  ),
  MANC_AGENT_METRIC_NAMES: limit(
    1000,
    { owner: 'agent', response: 'samples with further names are rejected' },
    'Metric names of one agent.',
  ),
  MANC_AGENT_ATTRIBUTE_BYTES: limit(
    16_384,
    { owner: 'agent', response: 'further attributes are rejected' },
    'Size of the attributes of one agent: values in its samples that are no numbers.',
  ),
  MANC_AGENT_ONBOARDINGS_PER_MINUTE: limit(
    10,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Changes of its configuration that one agent may send per minute, per replica.',
  ),
  MANC_INGESTER_HELD_BYTES: count(
    268_435_456,
    'Maximum telemetry in the memory of one ingester that VictoriaMetrics has not yet stored durably.',
  ),
  MANC_API_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description:
        'Where a subscriber posts results: the URL of an `api` process or of the load balancer in front of them. Not needed by a process that has both roles.',
    }),
  ),
  MANC_JOB_SECONDS: seconds(86_400, 'A job that runs longer than this fails.'),
  MANC_COMMANDS_PER_HOUR: limit(
    50_000,
    { owner: 'user or app', response: retryLater },
    'Maximum number of commands of one user or app, per replica. Each agent of a bulk command counts.',
  ),
  MANC_OPEN_JOBS: limit(
    100,
    { owner: 'user or agent; 20 times as much for operators, administrators and apps', response: retryLater },
    'Maximum number of jobs of one caller that have not ended, or whose result is unread. Results of commands do not count after their end.',
  ),
  MANC_COMMAND_SECONDS: seconds(
    300,
    'A command that is not delivered to its agent within this time expires.',
  ),
  MANC_COMMAND_DELIVERY_SECONDS: seconds(
    10,
    'A command that its agent does not acknowledge within this time is sent again.',
  ),
  MANC_COMMAND_RESULT_SECONDS: seconds(120, 'A command without a result within this time times out.'),
  MANC_COMMAND_HOLD_SECONDS: seconds(
    10,
    'After an app has sent a command, commands of other apps with the same or a lower priority to that agent are refused for this time.',
  ),
  MANC_EMULATED_AGENTS: limit(
    20_000,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of emulated agents of one operator, administrator or app. An agent counts until it is removed.',
  ),
  MANC_USER_EMULATED_AGENTS: limit(
    100,
    { owner: 'standard user', response: retryLater },
    'Maximum number of emulated agents of one standard user. An agent counts until it is removed.',
  ),
  MANC_USERS_EMULATED_AGENTS: limit(
    1000,
    { owner: 'all standard users', response: retryLater },
    'Maximum number of emulated agents of all standard users together.',
  ),
  MANC_EMULATED_AGENTS_TOTAL: limit(
    50_000,
    { owner: 'installation', response: retryLater },
    'Maximum number of emulated agents of all callers together.',
  ),
  MANC_EMULATION_SECONDS: limit(
    604_800,
    {
      owner: 'operator, admin or app',
      response: 'The emulation ends after this time; `detail` in the response.',
    },
    'Maximum duration of an emulation of an operator, administrator or app.',
  ),
  MANC_USER_EMULATION_SECONDS: limit(
    14_400,
    { owner: 'standard user', response: 'The emulation ends after this time; `detail` in the response.' },
    'Maximum duration of an emulation of a standard user.',
  ),
  MANC_EMULATIONS_PER_HOUR: limit(
    600,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of emulations that one operator, administrator or app starts in an hour.',
  ),
  MANC_USER_EMULATIONS_PER_HOUR: limit(
    20,
    { owner: 'standard user', response: retryLater },
    'Maximum number of emulations that one standard user starts in an hour.',
  ),
  MANC_EMULATOR_WAIT_SECONDS: seconds(
    600,
    'An emulation that no emulator has taken within this time fails. Its message in the broker expires as well.',
  ),
  MANC_EMULATED_KEEP_SECONDS: seconds(
    3600,
    'Emulated agents are deleted this long after the end of their emulation.',
  ),
  MANC_MAILBOX_SECONDS: seconds(86_400, 'Retention of undelivered results.'),
  MANC_MAILBOX_BYTES: limit(
    8_388_608,
    { owner: 'job', response: 'the job waits; posts get 429 with `Retry-After`' },
    'Maximum size of the undelivered results of one job; the job continues when they have been read.',
  ),
  MANC_UNREAD_BYTES: limit(
    33_554_432,
    {
      owner: 'user or agent; 20 times as much for operators, administrators and apps',
      response: 'jobs wait; posts get 429 with `Retry-After`',
    },
    'Maximum size of the undelivered results of all jobs of one caller; the jobs continue when results have been read.',
  ),
  MANC_MAILBOXES_BYTES: limit(
    17_179_869_184,
    { owner: 'all callers', response: 'jobs wait; posts get 503' },
    'Maximum size of all mailboxes on the disk of the database.',
  ),
  MANC_LARGE_BODIES: limit(
    2,
    { owner: 'all apps of one process', response: retryLater },
    'Maximum number of callbacks of apps with a body above `MANC_BODY_LIMIT_BYTES` that are processed at the same time.',
  ),
  MANC_SOCKET_IDLE_SECONDS: seconds(86_400, 'A WebSocket without messages for this time is closed.'),
  MANC_SOCKETS: limit(
    50,
    { owner: 'user or agent; 20 times as much for operators, administrators and apps', response: retryLater },
    'Maximum number of open WebSockets of one caller, per replica.',
  ),
  MANC_LIVE_SUBSCRIPTIONS: limit(
    10,
    { owner: 'user or agent; 20 times as much for operators, administrators and apps', response: retryLater },
    'Maximum number of open WebSockets of one caller with live data, per replica.',
  ),
  MANC_SOCKET_FRAMES_PER_SECOND: limit(
    20,
    { owner: 'WebSocket', response: 'closed with 4029' },
    'Maximum rate of frames from the client of a WebSocket, beside one acknowledgement for each message.',
  ),
  MANC_AUDIT_DAYS: count(400, 'Retention of the audit log in days.'),
  MANC_AUDIT_PATH: Type.Optional(
    Type.String({
      description:
        'File to which all audit entries are appended as JSON lines, by one `subscriber` at a time. It may be renamed by log rotation at any time.',
    }),
  ),
  MANC_AUDIT_SYSLOG_URL: Type.Optional(
    Type.String({
      pattern: '^(udp|tcp|tls)://[^\\s]+$',
      description:
        'Syslog server (RFC 5424) that gets all audit entries, for example `tls://logs.example.org:6514`. Entries wait in the database while it does not respond; over `udp` they may be lost.',
    }),
  ),
  MANC_AUDIT_ENTRIES_PER_MINUTE: limit(
    1000,
    { owner: 'user, app, agent or address', response: 'further entries are one per action, with a count' },
    'Maximum number of audit entries of one caller per minute, per replica. All failed logins together count as one caller.',
  ),
})

/** The settings that are limits, with what their documentation needs. */
export const limits: Readonly<Record<string, Limit>> = Object.fromEntries(
  Object.entries(Settings.properties).flatMap(([name, setting]) =>
    'limit' in setting ? [[name, setting.limit as Limit]] : [],
  ),
)
