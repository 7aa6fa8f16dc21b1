import type { Logger } from 'pino'
import { type Config } from '../config.ts'
import { readAmqpUrl } from '../engines/amqp-url.ts'
import { RabbitMqManagement } from '../engines/rabbitmq-management.ts'
import {
  AgentService,
  AgentStore,
  AllDetails,
  DetailsService,
  DetailsStore,
} from '../modules/agents/index.ts'
import { AppService, AppStore } from '../modules/apps/index.ts'
import { AuditService, AuditStore, dropOldAudit } from '../modules/audit/index.ts'
import { BrokerService, DisconnectionService, DisconnectionStore } from '../modules/broker/index.ts'
import {
  CommandDesk,
  CommandService,
  CommandStore,
  CommandToMany,
  Dispatcher,
} from '../modules/commands/index.ts'
import { EmulatorService, EmulatorStore } from '../modules/emulations/index.ts'
import { EnrolmentService, EnrolmentStore } from '../modules/enrolment/index.ts'
import {
  FiguresService,
  FiguresStore,
  FleetService,
  FleetStore,
  Presence,
  PresenceStore,
} from '../modules/fleet/index.ts'
import { Ingester, NoteStore, Notes } from '../modules/ingest/index.ts'
import { Courier, JobService, JobStore, Outbox, registryOf, Worker } from '../modules/jobs/index.ts'
import { MailboxService, MailboxStore } from '../modules/mailbox/index.ts'
import { Revocations } from '../modules/revocations/index.ts'
import { Sockets } from '../modules/sockets/index.ts'
import { History, Live, ReadingsService, ReadingsStore } from '../modules/telemetry/index.ts'
import { accountOf, Throttle } from '../modules/throttle/index.ts'
import { Jwt, TokenService } from '../modules/tokens/index.ts'
import { UpdateConsumer, UpdateService } from '../modules/updates/index.ts'
import { FirstAdmin, RecoveryService, RecoveryStore, UserService, UserStore } from '../modules/users/index.ts'
import type { Revoke } from '../revoke.ts'
import { Secrets } from '../secrets.ts'

import type { Engines } from './engines.ts'

export type Rooms = ReturnType<typeof makeRooms>

const serviceTokenS = 120

export function makeRooms(
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
  const figures = new FiguresService({ store: new FiguresStore(victoria.reads), fleet })
  const history = new History({ jobs, readings, victoria: victoria.reads, retentionMs: limits.retentionMs })
  const courier = new Courier({
    url: apiUrl,
    newToken: () => tokens.serviceToken(serviceTokenS),
    tokenLivesForS: serviceTokenS,
  })
  const live = new Live({ jobs, readings, rabbitMq, limits })
  const sockets = new Sockets({ mailbox, live: [live], idleS: config.MANC_SOCKET_IDLE_SECONDS, log })
  const commandStore = new CommandStore(postgres)
  const times = {
    livesForS: config.MANC_COMMAND_SECONDS,
    deliveredWithinS: config.MANC_COMMAND_DELIVERY_SECONDS,
    resultWithinS: config.MANC_COMMAND_RESULT_SECONDS,
    holdS: config.MANC_COMMAND_HOLD_SECONDS,
  }
  const commands = new CommandService({ store: commandStore, agents, jobs, mailbox, times })
  const commandToMany = new CommandToMany({ store: commandStore, commands, fleet, jobs })
  const worker = new Worker({
    store: jobStore,
    mailbox,
    courier,
    rabbitMq,
    handlers: registryOf(
      ['agent_details', 'agent_data', 'send_commands'],
      [allDetails, history, commandToMany],
    ),
    told: ['agent_details', 'agent_data'],
    log,
  })
  const dispatcher = new Dispatcher({ store: commandStore, commands, rabbitMq, times, log })
  const emulator = new EmulatorService({
    store: new EmulatorStore(postgres),
    agents,
    jobs,
    mailbox,
    rabbitMq,
    secrets,
    limits: {
      mostRunning: config.MANC_EMULATED_AGENTS,
      waitS: config.MANC_EMULATOR_WAIT_SECONDS,
      removeAfterS: config.MANC_EMULATED_KEEP_SECONDS,
    },
    log,
  })
  outbox.madeBy('emulator_spinup', (jobNumber) => emulator.messagesOf(jobNumber))
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

  const audit = new AuditService(new AuditStore(postgres))
  const sweep = async () => {
    await Promise.all([
      revocations.sweep(),
      throttle.sweep(),
      recovery.sweep(),
      enrolment.sweep(),
      fleet.sweep(),
      disconnections.sweep(),
      jobStore.sweep(config.MANC_MAILBOX_SECONDS),
      mailbox.sweep(),
      emulator.sweep(),
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
    live,
    jobs,
    outbox,
    mailbox,
    sockets,
    worker,
    commands,
    commandToMany,
    dispatcher,
    desk,
    emulator,
    fleet,
    presence,
    enrolment,
    apps,
    audit,
    readings,
    figures,
    updates,
    updateConsumer,
    ingester,
    sweep,
  }
}
