// Generated from the contract by `npm run docs`. Do not edit.
import type { OperationId } from '@manc/contract'

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Needs no token. */
  open?: true
  /** Takes an `Idempotency-Key`. */
  idempotent?: true
}

export const routes: Record<OperationId, Route> = {
  logIn: { method: 'POST', path: '/api/v1/token/', open: true },
  renewToken: { method: 'POST', path: '/api/v1/token/renew' },
  endSession: { method: 'DELETE', path: '/api/v1/token/' },
  createUserPublic: { method: 'POST', path: '/api/v1/users/public' },
  signUp: { method: 'POST', path: '/api/v1/users/signup', open: true },
  confirmSignUp: { method: 'POST', path: '/api/v1/users/confirm-signup', open: true },
  recoverPassword: { method: 'POST', path: '/api/v1/users/password-recovery', open: true },
  resetPassword: { method: 'POST', path: '/api/v1/users/reset-password', open: true },
  listUsers: { method: 'GET', path: '/api/v1/users/' },
  createUser: { method: 'POST', path: '/api/v1/users/' },
  getUser: { method: 'GET', path: '/api/v1/users/{username}' },
  updateUser: { method: 'PUT', path: '/api/v1/users/{username}' },
  deleteUser: { method: 'DELETE', path: '/api/v1/users/{username}' },
  getSignInOptions: { method: 'GET', path: '/api/v1/sign_in_options', open: true },
  getMe: { method: 'GET', path: '/api/v1/users/me' },
  createAgentPublic: { method: 'POST', path: '/api/v1/agents/public' },
  createAgent: { method: 'POST', path: '/api/v1/agents/' },
  getAgent: { method: 'GET', path: '/api/v1/agents/{ap_id}' },
  getAgentRejections: { method: 'GET', path: '/api/v1/agents/{ap_id}/rejections' },
  updateAgent: { method: 'PUT', path: '/api/v1/agents/{ap_id}' },
  deleteAgent: { method: 'DELETE', path: '/api/v1/agents/{ap_id}' },
  createEnrolmentToken: { method: 'POST', path: '/api/v1/enrolment_tokens' },
  listEnrolmentTokens: { method: 'GET', path: '/api/v1/enrolment_tokens' },
  deleteEnrolmentToken: { method: 'DELETE', path: '/api/v1/enrolment_tokens/{id}' },
  createApp: { method: 'POST', path: '/api/v1/third_party_apps/' },
  listApps: { method: 'GET', path: '/api/v1/third_party_apps/' },
  getApp: { method: 'GET', path: '/api/v1/third_party_apps/{app_name}' },
  updateApp: { method: 'PUT', path: '/api/v1/third_party_apps/{app_name}' },
  deleteApp: { method: 'DELETE', path: '/api/v1/third_party_apps/{app_name}' },
  sendUpdate: { method: 'POST', path: '/api/v1/agent_update/update' },
  requestAllAgentsDetails: { method: 'POST', path: '/api/v1/agent_details/request_all_agents_details', idempotent: true },
  requestAgentData: { method: 'POST', path: '/api/v1/agent_data/request_agent_data', idempotent: true },
  subscribeAgentData: { method: 'POST', path: '/api/v1/agent_data/subscribe', idempotent: true },
  postAgentData: { method: 'POST', path: '/api/v1/callback/agent_data', idempotent: true },
  postAgentDetails: { method: 'POST', path: '/api/v1/callback/agent_details', idempotent: true },
  postEmulator: { method: 'POST', path: '/api/v1/callback/emulator', idempotent: true },
  getJob: { method: 'GET', path: '/api/v1/jobs/{job_number}' },
  listJobs: { method: 'GET', path: '/api/v1/jobs' },
  sendCommand: { method: 'POST', path: '/api/v1/send_command', idempotent: true },
  sendCommands: { method: 'POST', path: '/api/v1/commands', idempotent: true },
  spinUpEmulator: { method: 'POST', path: '/api/v1/emulator/spinup', idempotent: true },
  listEmulations: { method: 'GET', path: '/api/v1/emulations' },
  stopEmulation: { method: 'DELETE', path: '/api/v1/emulations/{job_number}' },
  listAgentDetails: { method: 'GET', path: '/api/v1/metrics/agent_details' },
  getAgentData: { method: 'GET', path: '/api/v1/metrics/agent_data' },
  getAgentMultiMetricData: { method: 'GET', path: '/api/v1/metrics/agent_multi_metric_data' },
  getAgentMetrics: { method: 'GET', path: '/api/v1/metrics/agent_metrics' },
  getFleetSummary: { method: 'GET', path: '/api/v1/fleet/summary' },
  getFleetFigures: { method: 'GET', path: '/api/v1/fleet/figures' },
  listFleetAgents: { method: 'GET', path: '/api/v1/fleet/agents' },
  getFleetChanges: { method: 'GET', path: '/api/v1/fleet/changes' },
  listEvents: { method: 'GET', path: '/api/v1/events' },
  exportEvents: { method: 'GET', path: '/api/v1/events/export' },
  listAudit: { method: 'GET', path: '/api/v1/audit' },
  exportAudit: { method: 'GET', path: '/api/v1/audit/export' },
}
