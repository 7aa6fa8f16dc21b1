import type { OperationId, Scope } from '@manc/contract'
import { usernameKey } from './usernames.ts'

/** The caller, as identified by the bearer token. */
export type Caller =
  | User
  | AgentCaller
  | AppCaller
  | Service
  | { kind: 'anonymous' }
  | { kind: 'setup' }
  | { kind: 'enrolment'; id: string; apIdPattern: string }

interface User {
  kind: 'user'
  id: string
  name: string
  rank: Rank
}

interface AgentCaller {
  kind: 'agent'
  id: string
  name: string
}

export interface AppCaller {
  kind: 'third_party_app'
  id: string
  name: string
  /** Whether its permissions allow an operation, which may need a scope. */
  may(operation: string, scope?: Scope): boolean
  /** Compared with other apps that send commands to the same agent. */
  priority: number
  /** Glob patterns of the `ap_id`s that its permissions cover. */
  agents: readonly string[]
  /** Whether its permissions cover this agent. */
  sees(apId: string): boolean
}

/** The subscriber role of this server, when it posts results. */
interface Service {
  kind: 'service'
  id: string
  name: string
}

/** The owner id for resources; empty for callers that own none. */
export const idOf = (caller: Caller): string => ('id' in caller ? caller.id : '')

/** Each rank includes the rights of the ranks before it. */
const ranks = ['user', 'operator', 'admin'] as const
export type Rank = (typeof ranks)[number]

export type Grant =
  | 'anyone'
  | Rank
  | 'user itself'
  | 'agent'
  | 'app'
  | 'service'
  | 'agent itself'
  | 'app itself'
  | 'setup token'
  | 'enrolment token'
  | `app with ${Scope}`

/** Routes that are not operations of the contract. */
type PageId = 'health' | 'openapi' | 'docs' | 'console' | 'preflight' | 'socket' | 'eventStream'

/** The access table: which callers may call which operation. The server does not start with a route that is missing here. */
export const access: Record<OperationId | PageId, readonly Grant[]> = {
  health: ['anyone'],
  openapi: ['anyone'],
  docs: ['anyone'],
  console: ['anyone'],
  preflight: ['anyone'],

  logIn: ['anyone'],
  renewToken: ['user'],
  endSession: ['user', 'agent', 'app'],

  createUserPublic: ['admin', 'setup token'],
  signUp: ['anyone'],
  confirmSignUp: ['anyone'],
  recoverPassword: ['anyone'],
  resetPassword: ['anyone'],
  listUsers: ['admin'],
  createUser: ['admin'],
  getUser: ['admin', 'user itself'],
  updateUser: ['admin', 'user itself'],
  deleteUser: ['admin'],
  getMe: ['user'],
  getSignInOptions: ['anyone'],

  createAgentPublic: ['admin', 'enrolment token'],
  createAgent: ['admin'],
  getAgent: ['user', 'agent itself', 'app with agents:read'],
  getAgentRejections: ['user', 'agent itself', 'app with agents:read'],
  listAgentConfigurations: ['user', 'agent itself', 'app with agents:read'],
  getAgentConfiguration: ['user', 'agent itself', 'app with agents:read'],
  updateAgent: ['admin', 'agent itself'],
  deleteAgent: ['admin'],

  // As for the change of one configuration.
  previewRollout: ['admin'],
  createRollout: ['admin'],
  listRollouts: ['admin'],
  getRollout: ['admin'],
  listRolloutAgents: ['admin'],
  pauseRollout: ['admin'],
  resumeRollout: ['admin'],
  undoRollout: ['admin'],

  sendUpdate: ['admin', 'agent'],
  sendCommand: ['operator', 'app with commands:send'],
  sendCommands: ['operator', 'app with commands:send'],
  requestAllAgentsDetails: ['user', 'app with agents:read'],
  requestAgentData: ['user', 'agent itself', 'app with history:read'],
  subscribeAgentData: ['user', 'agent itself', 'app with metrics:read'],

  spinUpEmulator: ['user', 'app with emulator:spinup'],
  // The caller's own emulations; an admin all.
  listEmulations: ['user', 'app with emulator:spinup'],
  stopEmulation: ['user', 'app with emulator:spinup'],

  // To any job: only for those who work on jobs. Emulators are apps with the scope.
  postAgentData: ['service', 'admin', 'app with callbacks:post'],
  postAgentDetails: ['service', 'admin', 'app with callbacks:post'],
  postEmulator: ['service', 'admin', 'app with callbacks:post'],
  // Emulators report the runs that they execute.
  postExperimentRun: ['admin', 'app with callbacks:post'],

  // The caller's own jobs; an admin may open the socket of any job.
  getJob: ['user', 'agent', 'app'],
  listJobs: ['user', 'agent', 'app'],
  listJobResults: ['user', 'agent', 'app'],
  cancelJob: ['user', 'agent', 'app'],
  socket: ['user', 'agent', 'app'],

  listAgentDetails: ['user', 'app with agents:read'],
  getAgentData: ['user', 'agent itself', 'app with metrics:read'],
  getAgentMultiMetricData: ['user', 'agent itself', 'app with metrics:read'],
  getAgentMetrics: ['user', 'agent itself', 'app with metrics:read'],
  // An app gets the summary of agents that its permissions cover.
  getTelemetrySeries: ['user', 'agent itself', 'app with history:read'],
  getTelemetrySummary: ['user', 'app with history:read'],

  // An app gets series of agents that its permissions cover, and needs `history:read` as well.
  prometheusQuery: ['operator', 'app with metrics:read'],
  prometheusQueryForm: ['operator', 'app with metrics:read'],
  prometheusQueryRange: ['operator', 'app with metrics:read'],
  prometheusQueryRangeForm: ['operator', 'app with metrics:read'],
  prometheusSeries: ['operator', 'app with metrics:read'],
  prometheusSeriesForm: ['operator', 'app with metrics:read'],
  prometheusLabels: ['operator', 'app with metrics:read'],
  prometheusLabelsForm: ['operator', 'app with metrics:read'],
  prometheusLabelValues: ['operator', 'app with metrics:read'],
  prometheusBuildInfo: ['operator', 'app with metrics:read'],
  prometheusMetadata: ['operator', 'app with metrics:read'],

  getFleetSummary: ['user', 'app with agents:read'],
  getFleetFigures: ['user', 'app with metrics:read'],
  getFleetChanges: ['user', 'app with agents:read'],
  listFleetAgents: ['user', 'app with agents:read'],
  // An app needs `metrics:read` as well.
  getFleetTable: ['user', 'app with agents:read'],
  // For loads an app needs `metrics:read` as well.
  getFleetCells: ['user', 'app with agents:read'],
  getFleetTrends: ['user'],
  getMapLayers: ['user'],

  // The caller's own views, and shared ones to read; an admin may delete a shared one.
  listViews: ['user'],
  getView: ['user'],
  createView: ['user'],
  updateView: ['user'],
  deleteView: ['user'],

  // An app gets events of agents that its permissions cover.
  listEvents: ['user', 'app with agents:read'],
  exportEvents: ['user', 'app with agents:read'],
  eventStream: ['user', 'app with agents:read'],

  // An app gets clients of agents that its permissions cover.
  listClients: ['user', 'app with clients:read'],
  getClient: ['user', 'app with clients:read'],
  listAgentClients: ['user', 'agent itself', 'app with clients:read'],

  // An app gets alarms of agents that its permissions cover.
  listAlarms: ['user', 'app with alarms:read'],
  getAlarm: ['user', 'app with alarms:read'],
  getAlarmSummary: ['user', 'app with alarms:read'],
  acknowledgeAlarm: ['operator', 'app with alarms:write'],
  acknowledgeAlarms: ['operator', 'app with alarms:write'],
  assignAlarm: ['operator', 'app with alarms:write'],
  listAlarmRules: ['user', 'app with alarms:read'],
  createAlarmRule: ['admin'],
  previewAlarmRule: ['admin'],
  updateAlarmRule: ['admin'],
  deleteAlarmRule: ['admin'],
  // An app gets the silences of agents that its permissions cover, and changes its own.
  listSilences: ['user', 'app with alarms:read'],
  createSilence: ['operator', 'app with alarms:write'],
  updateSilence: ['operator', 'app with alarms:write'],
  endSilence: ['operator', 'app with alarms:write'],

  // An app gets its own decisions. For mode `act` it needs `commands:send` as well. A person confirms proposals.
  createDecision: ['operator', 'app with decisions:write'],
  listDecisions: ['operator', 'app with decisions:read'],
  exportDecisions: ['operator', 'app with decisions:read'],
  getDecision: ['operator', 'app with decisions:read'],
  confirmDecision: ['operator'],
  rejectDecision: ['operator'],

  // An app gets its own experiments. Others than admins change only their own.
  createExperiment: ['operator', 'app with experiments:write'],
  // Of access points that the permissions of an app cover; it needs `agents:read` and `metrics:read` as well.
  createWhatIf: ['operator', 'app with experiments:write'],
  listExperiments: ['operator', 'app with experiments:read'],
  getExperiment: ['operator', 'app with experiments:read'],
  getExperimentRun: ['operator', 'app with experiments:read'],
  exportExperiment: ['operator', 'app with experiments:read'],
  cancelExperiment: ['operator', 'app with experiments:write'],
  deleteExperiment: ['operator', 'app with experiments:write'],

  listNotificationReceivers: ['admin'],
  createNotificationReceiver: ['admin'],
  updateNotificationReceiver: ['admin'],
  deleteNotificationReceiver: ['admin'],
  rotateNotificationSecret: ['admin'],
  testNotificationReceiver: ['admin'],
  listNotificationRoutes: ['admin'],
  createNotificationRoute: ['admin'],
  updateNotificationRoute: ['admin'],
  deleteNotificationRoute: ['admin'],
  listNotificationDeliveries: ['operator'],
  getNotificationDelivery: ['operator'],
  retryNotificationDelivery: ['admin'],

  createEnrolmentToken: ['admin'],
  listEnrolmentTokens: ['admin'],
  deleteEnrolmentToken: ['admin'],

  createApp: ['admin'],
  listApps: ['admin'],
  getApp: ['admin', 'app itself'],
  updateApp: ['admin'],
  deleteApp: ['admin'],

  listAudit: ['admin'],
  exportAudit: ['admin'],

  getSystemHealth: ['operator'],
}

export type AccessId = keyof typeof access

/** The resource of a request, for grants with "itself" and for apps that are limited to some agents. */
export interface Target {
  username?: string
  /** One, or several: then each must be allowed. */
  ap_id?: string | readonly string[]
  app_name?: string
}

export function mayCall(id: AccessId, caller: Caller, target: Target): boolean {
  return access[id].some((grant) => grants(grant, id, caller, target))
}

function grants(grant: Grant, id: AccessId, caller: Caller, target: Target): boolean {
  switch (grant) {
    case 'anyone':
      return true
    case 'user':
    case 'operator':
    case 'admin':
      return caller.kind === 'user' && ranks.indexOf(caller.rank) >= ranks.indexOf(grant)
    case 'user itself':
      return (
        caller.kind === 'user' &&
        target.username !== undefined &&
        (target.username === 'me' || usernameKey(target.username) === usernameKey(caller.name))
      )
    case 'agent':
      return caller.kind === 'agent'
    case 'app':
      return caller.kind === 'third_party_app' && caller.may(id)
    case 'service':
      return caller.kind === 'service'
    case 'agent itself':
      return (
        caller.kind === 'agent' &&
        target.ap_id !== undefined &&
        agentsOf(target).every((apId) => apId === caller.name)
      )
    case 'app itself':
      return caller.kind === 'third_party_app' && target.app_name === caller.name
    case 'setup token':
      return caller.kind === 'setup'
    case 'enrolment token':
      return caller.kind === 'enrolment'
    default: {
      if (caller.kind !== 'third_party_app') return false
      const scope = grant.slice('app with '.length) as Scope
      return caller.may(id, scope) && agentsOf(target).every((apId) => caller.sees(apId))
    }
  }
}

const agentsOf = ({ ap_id: apId }: Target): readonly string[] =>
  apId === undefined ? [] : typeof apId === 'string' ? [apId] : apId
