import type { AddressInfo } from 'node:net'
import { UserCreate } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import {
  AgentService,
  AgentStore,
  AllDetails,
  agentRoutes,
  DetailsService,
  DetailsStore,
  DisconnectionService,
  DisconnectionStore,
  detailsRoutes,
  disconnectionsConsumer,
  EnrolmentService,
  EnrolmentStore,
  enrolmentRoutes,
  FleetService,
  FleetStore,
  fleetRoutes,
  Presence,
  PresenceStore,
} from './agents/index.ts'
import { AppService, AppStore, appRoutes } from './apps/index.ts'
import { dropOldAudit } from './audit/index.ts'
import { CommandDesk, CommandService, CommandStore, commandRoutes, Dispatcher } from './commands/index.ts'
import { type Config, listOf, type Role, WrongSettings } from './config.ts'
import { readAmqpUrl } from './engines/amqp-url.ts'
import { Mail } from './engines/mail.ts'
import { migrate, Postgres } from './engines/postgres.ts'
import { RabbitMq } from './engines/rabbitmq.ts'
import { RabbitMqManagement } from './engines/rabbitmq-management.ts'
import { Victoria } from './engines/victoria.ts'
import { serveDocs } from './http/docs.ts'
import { type EngineCheck, serveHealth } from './http/health.ts'
import { createInternalServer } from './http/internal.ts'
import { Metrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import {
  Courier,
  callbackRoutes,
  JobService,
  JobStore,
  jobRoutes,
  MailboxService,
  MailboxStore,
  Outbox,
  registryOf,
  Sockets,
  socketRoutes,
  Worker,
} from './jobs/index.ts'
import { Loop } from './loop.ts'
import type { Revoke } from './revoke.ts'
import { Secrets } from './secrets.ts'
import {
  History,
  Ingester,
  NoteStore,
  Notes,
  ReadingsService,
  ReadingsStore,
  telemetryRoutes,
} from './telemetry/index.ts'
import {
  accountOf,
  BrokerService,
  brokerRoutes,
  Jwt,
  Revocations,
  Throttle,
  TokenService,
  tokenRoutes,
} from './tokens/index.ts'
import { UpdateConsumer, UpdateService, updateRoutes } from './updates/index.ts'
import {
  FirstAdmin,
  RecoveryService,
  RecoveryStore,
  recoveryConsumer,
  UserService,
  UserStore,
  userRoutes,
} from './users/index.ts'
import { requestValidator } from './validation/index.ts'

/** A running server: what it is made of is decided here and nowhere else. */
export interface Server {
  start(): Promise<void>
  stop(): Promise<void>
  /** Where the public interface listens; undefined without the api role. */
  readonly url: string | undefined
  readonly internalUrl: string
}

const lookEveryMs = 400
const serviceTokenS = 120
const sweepEveryMs = 60_000

export function compose(config: Config, log: Logger): Server {
  const roles = new Set(listOf(config.MANC_ROLES) as Role[])
  if (roles.has('subscriber') && !roles.has('api') && config.MANC_API_URL === undefined)
    throw new WrongSettings('Wrong settings:\n  MANC_API_URL is needed by a subscriber without the role api.')
  let api: FastifyInstance | undefined
  const engines = makeEngines(config, log)
  const rooms = makeRooms(config, log, engines, () => config.MANC_API_URL ?? (api && urlOf(api)) ?? '')
  const metrics = new Metrics()
  const internal = createInternalServer({
    metrics,
    checks: engines.checks,
    routes: roles.has('api')
      ? [brokerRoutes({ broker: rooms.broker, secret: config.MANC_BROKER_SECRET, metrics, log })]
      : [],
  })
  const loops = [
    new Loop({
      name: 'following revocations',
      everyMs: lookEveryMs,
      log,
      round: () => rooms.revocations.look(),
    }),
    new Loop({
      name: 'forgetting old revocations',
      everyMs: sweepEveryMs,
      log,
      round: async () => rooms.revocations.forgetOld(),
    }),
    ...(roles.has('subscriber')
      ? [
          recoveryConsumer(rooms.recovery, log),
          disconnectionsConsumer(rooms.disconnections, log),
          new Loop({ name: 'sweeping', everyMs: sweepEveryMs, log, round: () => rooms.sweep() }),
        ]
      : []),
  ]

  return {
    async start() {
      await migrate(config.MANC_DATABASE_URL, log)
      await engines.rabbitMq.start()
      await rooms.revocations.look()
      for (const loop of loops) loop.start()
      if (roles.has('ingester')) {
        rooms.ingester.start()
        rooms.presence.start()
      }
      await internal.listen({ host: config.MANC_INTERNAL_HOST, port: config.MANC_INTERNAL_PORT })
      if (roles.has('api')) {
        await rooms.firstAdmin.atStart(bootstrapOf(config))
        await rooms.mailbox.sweep()
        rooms.outbox.start()
        rooms.sockets.start()
        rooms.desk.start()
        api = await makeApi(config, log, engines, rooms, metrics)
        await api.listen({ host: config.MANC_HOST, port: config.MANC_PORT })
      }
      if (roles.has('subscriber')) {
        rooms.updateConsumer.start()
        rooms.worker.start()
        rooms.dispatcher.start()
      }
    },
    async stop() {
      if (roles.has('subscriber')) await Promise.all([rooms.worker.stop(), rooms.dispatcher.stop()])
      if (roles.has('api')) await rooms.sockets.stop()
      await api?.close()
      if (roles.has('api')) await Promise.all([rooms.outbox.stop(), rooms.desk.stop()])
      if (roles.has('ingester')) await Promise.all([rooms.ingester.stop(), rooms.presence.stop()])
      await Promise.all(loops.map((loop) => loop.stop()))
      await internal.close()
      await Promise.allSettled([engines.rabbitMq.stop(), engines.postgres.stop()])
      engines.victoria.reads.stop()
      engines.mail.stop()
    },
    get url() {
      return api && urlOf(api)
    },
    get internalUrl() {
      return urlOf(internal)
    },
  }
}

/** For the command line: an administrator, without a running server. */
export async function createAdmin(
  config: Config,
  log: Logger,
  username: string,
  password: string,
): Promise<void> {
  await migrate(config.MANC_DATABASE_URL, log)
  const engines = makeEngines(config, log)
  try {
    const { users } = makeRooms(config, log, engines, () => '')
    await users.create(checkedAdmin({ username, password }), { kind: 'command-line', name: 'manc-server' })
  } finally {
    await engines.postgres.stop()
  }
}

type Engines = ReturnType<typeof makeEngines>
type Rooms = ReturnType<typeof makeRooms>

function makeEngines(config: Config, log: Logger) {
  const postgres = new Postgres({
    url: config.MANC_DATABASE_URL,
    connections: config.MANC_DATABASE_CONNECTIONS,
    log,
  })
  const rabbitMq = new RabbitMq({ url: config.MANC_RABBITMQ_URL, log })
  const victoria = new Victoria({ url: config.MANC_VICTORIA_URL })
  const mail = new Mail({ url: config.MANC_SMTP_URL, from: config.MANC_MAIL_FROM })
  // Without the broker or the metrics store most of the interface still works: they are shown, not required.
  const checks: EngineCheck[] = [
    { name: 'postgres', required: true, ping: () => postgres.ping() },
    { name: 'rabbitmq', required: false, ping: () => rabbitMq.ping() },
    { name: 'victoriametrics', required: false, ping: () => victoria.ping() },
  ]
  return { postgres, rabbitMq, victoria, mail, checks }
}

function makeRooms(
  config: Config,
  log: Logger,
  { postgres, rabbitMq, victoria, mail }: Engines,
  apiUrl: () => string,
) {
  const secrets = new Secrets({ dataKey: config.MANC_DATA_KEY })
  const lifetimesS = {
    user: config.MANC_USER_TOKEN_SECONDS,
    agent: config.MANC_AGENT_TOKEN_SECONDS,
    third_party_app: config.MANC_APP_TOKEN_SECONDS,
  }
  const longestTokenS = Math.max(...Object.values(lifetimesS))
  const revocations = new Revocations({ postgres, rabbitMq, longestTokenS })
  const revoke: Revoke = (tx, subject, version) => revocations.revoke(tx, subject, version)

  const throttle = new Throttle({
    postgres,
    limits: {
      freeFailures: config.MANC_LOGIN_FREE_FAILURES,
      freeFailuresPerAddress: config.MANC_LOGIN_FREE_FAILURES_PER_ADDRESS,
      windowS: config.MANC_LOGIN_WINDOW_SECONDS,
      maxWaitS: config.MANC_LOGIN_MAX_WAIT_SECONDS,
    },
  })

  const userStore = new UserStore(postgres)
  const users = new UserService({ postgres, store: userStore, secrets, revoke })
  const firstAdmin = new FirstAdmin({ postgres, store: userStore, users, secrets, log })
  const recovery = new RecoveryService({
    postgres,
    store: new RecoveryStore(postgres),
    users: userStore,
    secrets,
    revoke,
    mail,
    log,
    publicUrl: config.MANC_PUBLIC_URL,
    tokenLifetimeS: config.MANC_RESET_TOKEN_SECONDS,
    perHour: config.MANC_RECOVERIES_PER_HOUR,
    forgive: (username) => throttle.forgive(accountOf('user', username)),
  })

  const agentStore = new AgentStore(postgres)
  const { vhost, username: ownName } = readAmqpUrl(config.MANC_RABBITMQ_URL)
  const disconnections = new DisconnectionService({
    store: new DisconnectionStore(postgres),
    management: config.MANC_RABBITMQ_MANAGEMENT_URL
      ? new RabbitMqManagement({ url: config.MANC_RABBITMQ_MANAGEMENT_URL })
      : undefined,
    ownName,
    log,
  })
  const fleetStore = new FleetStore(postgres)
  const agents = new AgentService({
    postgres,
    store: agentStore,
    fleet: fleetStore,
    secrets,
    revoke,
    disconnections,
  })
  const enrolment = new EnrolmentService({ postgres, store: new EnrolmentStore(postgres), agents, secrets })

  const jobStore = new JobStore(postgres)
  const outbox = new Outbox({ store: jobStore, rabbitMq, log })
  const jobs = new JobService({ postgres, store: jobStore, outbox, livesForS: config.MANC_JOB_SECONDS })
  const mailbox = new MailboxService({
    store: new MailboxStore(postgres),
    rabbitMq,
    keepS: config.MANC_MAILBOX_SECONDS,
    mostWaitingBytes: config.MANC_MAILBOX_BYTES,
    mostBytes: config.MANC_MAILBOXES_BYTES,
    log,
  })
  const sockets = new Sockets({ mailbox, idleS: config.MANC_SOCKET_IDLE_SECONDS, log })

  const detailsStore = new DetailsStore(postgres)
  const details = new DetailsService(detailsStore)
  const allDetails = new AllDetails({ jobs, store: detailsStore })
  const fleet = new FleetService(fleetStore)
  const presenceStore = new PresenceStore(postgres)

  const appStore = new AppStore(postgres)
  const apps = new AppService({ postgres, store: appStore, secrets, revoke })

  const tokens = new TokenService({
    users: userStore,
    agents: agentStore,
    apps: appStore,
    firstAdmin,
    enrolment,
    secrets,
    jwt: new Jwt({ key: config.MANC_TOKEN_KEY, longestLifeS: longestTokenS }),
    revocations,
    throttle,
    lifetimesS,
  })
  const broker = new BrokerService({
    verifyAgent: (apId, secret) => tokens.verifyAgent(apId, secret),
    vhost,
    ownName,
  })

  const noteStore = new NoteStore(postgres)
  const limits = { retentionMs: config.MANC_TELEMETRY_DAYS * 86_400_000 }
  const readings = new ReadingsService({ store: new ReadingsStore(victoria.reads), agents: details })
  const history = new History({ jobs, readings, victoria: victoria.reads, retentionMs: limits.retentionMs })
  const courier = new Courier({
    url: apiUrl,
    newToken: () => tokens.serviceToken(serviceTokenS),
    tokenLivesForS: serviceTokenS,
  })
  const worker = new Worker({
    store: jobStore,
    mailbox,
    courier,
    rabbitMq,
    handlers: registryOf(['agent_details', 'agent_data'], [allDetails, history]),
    log,
  })
  const commandStore = new CommandStore(postgres)
  const times = {
    livesForS: config.MANC_COMMAND_SECONDS,
    deliveredWithinS: config.MANC_COMMAND_DELIVERY_SECONDS,
    resultWithinS: config.MANC_COMMAND_RESULT_SECONDS,
    holdS: config.MANC_COMMAND_HOLD_SECONDS,
  }
  const commands = new CommandService({ store: commandStore, agents, jobs, mailbox, times })
  const dispatcher = new Dispatcher({ store: commandStore, commands, rabbitMq, times, log })
  const desk = new CommandDesk({ store: commandStore, commands, log })
  const updates = new UpdateService({
    postgres,
    agents,
    rabbitMq,
    limits,
    notes: noteStore,
    presence: presenceStore,
    commands,
    desk,
  })
  const updateConsumer = new UpdateConsumer({ updates, rabbitMq, log })
  const presence = new Presence({ store: presenceStore, isCurrent: () => ingester.isCurrent, log })
  const ingester: Ingester = new Ingester({
    rabbitMq,
    victoria,
    notes: new Notes(noteStore),
    presence,
    limits,
    mostHeldBytes: config.MANC_INGESTER_HELD_BYTES,
    log,
  })

  const sweep = async () => {
    await Promise.all([
      revocations.sweep(),
      throttle.sweep(),
      recovery.sweep(),
      enrolment.sweep(),
      disconnections.sweep(),
      jobStore.sweep(config.MANC_MAILBOX_SECONDS),
      mailbox.sweep(),
      dropOldAudit(postgres.db, config.MANC_AUDIT_DAYS),
    ])
  }
  return {
    tokens,
    broker,
    disconnections,
    revocations,
    users,
    firstAdmin,
    recovery,
    agents,
    details,
    allDetails,
    history,
    jobs,
    outbox,
    mailbox,
    sockets,
    worker,
    commands,
    dispatcher,
    desk,
    fleet,
    presence,
    enrolment,
    apps,
    readings,
    updates,
    updateConsumer,
    ingester,
    sweep,
  }
}

async function makeApi(config: Config, log: Logger, engines: Engines, rooms: Rooms, metrics: Metrics) {
  const api = await createServer({
    log,
    metrics,
    identify: (bearer) => rooms.tokens.identify(bearer),
    rateLimits: {
      anonymousPerMinute: config.MANC_RATE_ANONYMOUS_PER_MINUTE,
      callerPerMinute: config.MANC_RATE_CALLER_PER_MINUTE,
      agentPerMinute: config.MANC_RATE_AGENT_PER_MINUTE,
      signupsPerMinute: config.MANC_SIGNUPS_PER_MINUTE,
    },
    bodyLimitBytes: config.MANC_BODY_LIMIT_BYTES,
    corsOrigins: listOf(config.MANC_CORS_ORIGINS),
    trustedProxies: listOf(config.MANC_TRUSTED_PROXIES),
  })
  serveHealth(api, engines.checks)
  await serveDocs(api)
  tokenRoutes(api, rooms.tokens)
  userRoutes(api, rooms)
  agentRoutes(api, rooms)
  detailsRoutes(api, rooms)
  fleetRoutes(api, rooms.fleet)
  enrolmentRoutes(api, rooms.enrolment)
  appRoutes(api, rooms.apps)
  updateRoutes(api, rooms.updates)
  telemetryRoutes(api, rooms)
  jobRoutes(api, rooms)
  commandRoutes(api, rooms)
  callbackRoutes(api, rooms)
  socketRoutes(api, {
    ...rooms,
    origins: [new URL(config.MANC_PUBLIC_URL).origin, ...listOf(config.MANC_CORS_ORIGINS)],
    isLive: (bearer) => rooms.tokens.isLive(bearer),
  })
  return api
}

const validateUser = requestValidator({ body: UserCreate })

/** Held to the same rules as a request, with the fault in words. */
function checkedAdmin(given: { username: string; password: string }): UserCreate {
  const checked = validateUser({ body: { ...given, roles: ['admin'] } })
  if (checked.valid) return checked.value.body
  const faults = checked.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
  throw new WrongSettings(`The administrator cannot be created. ${faults.join('; ')}`)
}

function bootstrapOf(config: Config): UserCreate | undefined {
  const { MANC_BOOTSTRAP_ADMIN_USERNAME: username, MANC_BOOTSTRAP_ADMIN_PASSWORD: password } = config
  return username !== undefined && password !== undefined ? checkedAdmin({ username, password }) : undefined
}

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`
}
