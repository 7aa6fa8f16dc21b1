import type { Module, Platform } from '../module.ts'
import { createAgentLimitsModule } from '../modules/agent-limits/index.ts'
import { createAgentsModule } from '../modules/agents/index.ts'
import { createAlarmsModule } from '../modules/alarms/index.ts'
import { createAppsModule } from '../modules/apps/index.ts'
import { createAuditModule } from '../modules/audit/index.ts'
import { createBrokerModule } from '../modules/broker/index.ts'
import { createClientsModule } from '../modules/clients/index.ts'
import { createCommandsModule } from '../modules/commands/index.ts'
import { createDecisionsModule } from '../modules/decisions/index.ts'
import { createDisconnectionsModule } from '../modules/disconnections/index.ts'
import { createEmulationsModule } from '../modules/emulations/index.ts'
import { createEnrolmentModule } from '../modules/enrolment/index.ts'
import { createEventStreamModule } from '../modules/event-stream/index.ts'
import { createEventsModule } from '../modules/events/index.ts'
import { createExperimentsModule } from '../modules/experiments/index.ts'
import { createFleetModule } from '../modules/fleet/index.ts'
import { createIngestModule } from '../modules/ingest/index.ts'
import { createJobsModule } from '../modules/jobs/index.ts'
import { createKeysModule } from '../modules/keys/index.ts'
import { createMailboxModule } from '../modules/mailbox/index.ts'
import { createNotificationsModule } from '../modules/notifications/index.ts'
import { createPrometheusModule } from '../modules/prometheus/index.ts'
import { createRevocationsModule } from '../modules/revocations/index.ts'
import { createRolloutsModule } from '../modules/rollouts/index.ts'
import { createSilencesModule } from '../modules/silences/index.ts'
import { createSocketsModule } from '../modules/sockets/index.ts'
import { createSystemModule } from '../modules/system/index.ts'
import { createTelemetryModule } from '../modules/telemetry/index.ts'
import { createThrottleModule } from '../modules/throttle/index.ts'
import { createTokensModule } from '../modules/tokens/index.ts'
import { createUpdatesModule } from '../modules/updates/index.ts'
import { createUsersModule } from '../modules/users/index.ts'
import { createViewsModule } from '../modules/views/index.ts'

/** Builds the modules, each from the platform and the modules before it. */
export function createModules(platform: Platform, apiUrl: () => string) {
  const audit = createAuditModule(platform)
  const revocations = createRevocationsModule(platform)
  const throttle = createThrottleModule(platform)
  const disconnections = createDisconnectionsModule(platform)
  const agentLimits = createAgentLimitsModule(platform, { disconnections })
  const users = createUsersModule(platform, { audit, revocations, throttle })
  const apps = createAppsModule(platform, { revocations })
  const events = createEventsModule(platform)
  const fleet = createFleetModule(platform, { events })
  const views = createViewsModule(platform)
  const silences = createSilencesModule(platform)
  const alarms = createAlarmsModule(platform, { events, users })
  const notifications = createNotificationsModule(platform, { alarms })
  const mailbox = createMailboxModule(platform)
  const jobs = createJobsModule(platform, {
    mailbox,
    throttle,
    // The worker starts after all modules exist.
    callbacks: { url: apiUrl, newToken: (lifetimeS) => tokens.tokens.serviceToken(lifetimeS) },
  })
  const agents = createAgentsModule(platform, {
    revocations,
    throttle,
    disconnections,
    agentLimits,
    events,
    fleet,
    jobs,
  })
  const rollouts = createRolloutsModule(platform, { agents, fleet })
  const enrolment = createEnrolmentModule(platform, { agents })
  const tokens = createTokensModule(platform, {
    audit,
    users,
    agents,
    apps,
    enrolment,
    events,
    revocations,
    throttle,
  })
  const broker = createBrokerModule(platform, { agentLimits, tokens })
  const sockets = createSocketsModule(platform, { jobs, mailbox, tokens })
  const eventStream = createEventStreamModule(platform, { events, sockets })
  const ingest = createIngestModule(platform, { agentLimits, agents, fleet })
  const prometheus = createPrometheusModule(platform)
  const telemetry = createTelemetryModule(platform, { agents, fleet, jobs, prometheus, sockets })
  const clients = createClientsModule(platform, { agents, events, ingest })
  const commands = createCommandsModule(platform, { agents, clients, events, fleet, jobs })
  const decisions = createDecisionsModule(platform, { apps, commands, events })
  const emulations = createEmulationsModule(platform, { agents, events, jobs })
  const experiments = createExperimentsModule(platform, { clients, fleet })
  const updates = createUpdatesModule(platform, { agentLimits, agents, clients, commands, fleet, ingest })
  const system = createSystemModule(platform, { alarms, ingest, jobs, mailbox, notifications })
  const all: Module[] = [
    audit,
    revocations,
    throttle,
    disconnections,
    agentLimits,
    users,
    apps,
    events,
    fleet,
    views,
    silences,
    alarms,
    notifications,
    mailbox,
    jobs,
    agents,
    rollouts,
    enrolment,
    tokens,
    broker,
    sockets,
    eventStream,
    ingest,
    telemetry,
    prometheus,
    clients,
    commands,
    decisions,
    emulations,
    experiments,
    updates,
    system,
  ]
  const keys = createKeysModule(platform, { dataKeyUses: all.flatMap((each) => each.dataKeyUses ?? []) })
  return { all, users, tokens, keys, ingest }
}
