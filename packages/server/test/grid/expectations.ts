import type { OperationId } from '@manc/contract'
import { type CallerName, callerNames, isKnown, type KnownCaller } from './names.ts'

export type Expected = 'ok' | 401 | 403

/** The well-made token is signed by the test: it shows that the forged tokens fail because of their change only. */
const admins = ['admin', 'administrator', 'well-made token'] as const
const anyUser = [
  'user',
  'operator',
  'user with a label for a role',
  'user itself',
  'another user',
  ...admins,
] as const
/** By default an app has `agents:read`, `metrics:read` and `history:read`. */
const appsThatRead = [
  'app with default permissions',
  'app of these agents by a pattern',
  'app itself',
  'another app',
] as const

/** Every caller with an account. */
const everyone = [
  ...anyUser,
  ...appsThatRead,
  'app with the permission denied',
  'app of other agents',
  'agent itself',
  'another agent',
] as const

/** Who may call what, according to the decision records. Not derived from the code. */
const allowed: Record<OperationId, 'anyone' | readonly KnownCaller[]> = {
  logIn: 'anyone', // 1
  renewToken: anyUser,
  endSession: everyone, // each its own
  createUserPublic: [...admins, 'setup token'], // 2
  signUp: 'anyone', // 3
  confirmSignUp: 'anyone',
  recoverPassword: 'anyone', // 4
  resetPassword: 'anyone', // 5
  listUsers: admins, // 6
  createUser: admins, // 7
  getUser: [...admins, 'user itself'], // 8
  updateUser: [...admins, 'user itself'], // 9
  deleteUser: admins, // 10
  getMe: anyUser, // 11
  getSignInOptions: 'anyone',
  createAgentPublic: [...admins, 'enrolment token'], // 12
  createAgent: admins, // 13
  getAgent: [...anyUser, 'agent itself', ...appsThatRead], // 14
  getAgentRejections: [...anyUser, 'agent itself', ...appsThatRead],
  listAgentConfigurations: [...anyUser, 'agent itself', ...appsThatRead],
  getAgentConfiguration: [...anyUser, 'agent itself', ...appsThatRead],
  previewRollout: admins,
  createRollout: admins,
  listRollouts: admins,
  getRollout: admins,
  listRolloutAgents: admins,
  pauseRollout: admins,
  resumeRollout: admins,
  undoRollout: admins,
  updateAgent: [...admins, 'agent itself'], // 15
  deleteAgent: admins, // 16
  createApp: admins, // 17
  getApp: [...admins, 'app itself'], // 18
  updateApp: admins, // 19
  deleteApp: admins, // 20
  sendUpdate: [...admins, 'agent itself'], // 21, with a body that names the agent
  listAgentDetails: [...anyUser, ...appsThatRead, 'app of other agents'], // 26, each app those that its permissions cover
  getAgentData: [...anyUser, 'agent itself', ...appsThatRead], // 27
  getAgentMultiMetricData: [...anyUser, 'agent itself', ...appsThatRead], // 28
  getAgentMetrics: [...anyUser, 'agent itself', ...appsThatRead], // 29
  getTelemetrySeries: [...anyUser, 'agent itself', ...appsThatRead, 'app with the permission denied'],
  // Each app those that its permissions cover.
  getTelemetrySummary: [...anyUser, ...appsThatRead, 'app with the permission denied', 'app of other agents'],
  // Each app the series of agents that its permissions cover.
  prometheusQuery: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusQueryForm: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusQueryRange: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusQueryRangeForm: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusSeries: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusSeriesForm: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusLabels: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusLabelsForm: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusLabelValues: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusBuildInfo: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  prometheusMetadata: ['operator', ...admins, ...appsThatRead, 'app of other agents'],
  getFleetSummary: [...anyUser, ...appsThatRead, 'app of other agents'], // each app those that its permissions cover
  getFleetFigures: [...anyUser, ...appsThatRead, 'app of other agents'],
  getFleetChanges: [...anyUser, ...appsThatRead, 'app of other agents'],
  listFleetAgents: [...anyUser, ...appsThatRead, 'app of other agents'],
  getFleetCells: [...anyUser, ...appsThatRead, 'app of other agents'],
  getFleetTable: [...anyUser, ...appsThatRead, 'app of other agents'],
  listViews: anyUser,
  getView: anyUser,
  createView: anyUser,
  updateView: anyUser, // each its own
  deleteView: anyUser, // each its own
  getFleetTrends: anyUser,
  getMapLayers: anyUser,
  listEvents: [...anyUser, ...appsThatRead, 'app of other agents'], // each app those that its permissions cover
  exportEvents: [...anyUser, ...appsThatRead, 'app of other agents'],
  requestAllAgentsDetails: [...anyUser, ...appsThatRead, 'app of other agents'], // 22, each app those that its permissions cover
  subscribeAgentData: [...anyUser, 'agent itself', ...appsThatRead],
  requestAgentData: [...anyUser, 'agent itself', ...appsThatRead, 'app with the permission denied'], // 23
  sendCommand: ['operator', ...admins, ...appsThatRead, 'app with the permission denied'], // 24
  // Agents outside of its permissions do not exist for an app.
  sendCommands: [
    'operator',
    ...admins,
    ...appsThatRead,
    'app with the permission denied',
    'app of other agents',
  ],
  spinUpEmulator: [...anyUser, ...appsThatRead, 'app with the permission denied', 'app of other agents'], // 25
  // Each its own; administrators all.
  listEmulations: [...anyUser, ...appsThatRead, 'app with the permission denied', 'app of other agents'],
  stopEmulation: [...anyUser, ...appsThatRead, 'app with the permission denied', 'app of other agents'],
  postAgentData: admins, // 30, beside the service, and apps only where they were granted it
  postAgentDetails: admins, // 31
  postEmulator: admins, // 32
  postExperimentRun: admins,
  getJob: everyone, // each its own
  listJobs: everyone,
  listJobResults: everyone, // each its own
  cancelJob: everyone, // each its own
  // An app needs a scope that it has not got by default.
  listClients: anyUser,
  getClient: anyUser,
  listAgentClients: [...anyUser, 'agent itself'],
  listAlarms: anyUser,
  getAlarm: anyUser,
  getAlarmSummary: anyUser,
  acknowledgeAlarm: ['operator', ...admins],
  acknowledgeAlarms: ['operator', ...admins],
  assignAlarm: ['operator', ...admins],
  listAlarmRules: anyUser,
  createAlarmRule: admins,
  previewAlarmRule: admins,
  updateAlarmRule: admins,
  deleteAlarmRule: admins,
  listSilences: anyUser,
  createSilence: ['operator', ...admins],
  updateSilence: ['operator', ...admins],
  endSilence: ['operator', ...admins],
  // An app needs a scope that it has not got by default.
  createDecision: ['operator', ...admins],
  listDecisions: ['operator', ...admins],
  exportDecisions: ['operator', ...admins],
  getDecision: ['operator', ...admins],
  confirmDecision: ['operator', ...admins],
  rejectDecision: ['operator', ...admins],
  createExperiment: ['operator', ...admins],
  createWhatIf: ['operator', ...admins],
  listExperiments: ['operator', ...admins],
  getExperiment: ['operator', ...admins],
  getExperimentRun: ['operator', ...admins],
  exportExperiment: ['operator', ...admins],
  cancelExperiment: ['operator', ...admins],
  deleteExperiment: ['operator', ...admins],
  listNotificationReceivers: admins,
  createNotificationReceiver: admins,
  updateNotificationReceiver: admins,
  deleteNotificationReceiver: admins,
  rotateNotificationSecret: admins,
  testNotificationReceiver: admins,
  listNotificationRoutes: admins,
  createNotificationRoute: admins,
  updateNotificationRoute: admins,
  deleteNotificationRoute: admins,
  listNotificationDeliveries: ['operator', ...admins],
  getNotificationDelivery: ['operator', ...admins],
  retryNotificationDelivery: admins,
  getSystemHealth: ['operator', ...admins],
  createEnrolmentToken: admins,
  listEnrolmentTokens: admins,
  deleteEnrolmentToken: admins,
  listApps: admins,
  listAudit: admins,
  exportAudit: admins,
}

/** Operation → caller → outcome: 403 for known callers that are not allowed, 401 for unknown ones. */
export const expectations = Object.fromEntries(
  Object.entries(allowed).map(([operation, those]) => [
    operation,
    Object.fromEntries(callerNames.map((name) => [name, expected(those, name)])),
  ]),
) as Record<OperationId, Record<CallerName, Expected>>

/** The socket of a job is open to its owner and to administrators. For others the job does not exist. */
export const socketExpectations = {
  own: Object.fromEntries(callerNames.map((name) => [name, expected(everyone, name)])),
  another: Object.fromEntries(callerNames.map((name) => [name, expectedOfAnother(name)])),
} as Record<'own' | 'another', Record<CallerName, Expected | 404>>

function expectedOfAnother(name: CallerName): Expected | 404 {
  if ((admins as readonly CallerName[]).includes(name)) return 'ok'
  const own = expected(everyone, name)
  return own === 'ok' ? 404 : own
}

function expected(those: 'anyone' | readonly KnownCaller[], name: CallerName): Expected {
  if (those === 'anyone') return 'ok'
  if (!isKnown(name)) return 401
  // All agents of the grid are real.
  if (name === 'app in the sandbox') return expected(those, 'app of other agents')
  return those.includes(name) ? 'ok' : 403
}
