// Generated from the contract by `npm run docs`. Do not edit.
import type { BodyOf, QueryOf, ReplyOf } from '@manc/contract'
import { Resource } from '../resource.ts'
import type { Stream } from '../stream.ts'
import type { CallOptions, ItemOf, PageOptions } from '../transport.ts'

export class UsersMethods extends Resource {
  /**
   * Sign up as a standard user.
   * With `MANC_SIGNUP=closed` the response is 403: only administrators create accounts. With `MANC_SIGNUP=confirmed` an e-mail with a link is sent, and logins are refused with 403 until it was used. A later sign-up with the same name replaces one that is not confirmed and sends another e-mail.
   */
  signUp(body: BodyOf<'signUp'>, options?: CallOptions): Promise<ReplyOf<'signUp'>> {
    return this.transport.call('signUp', { body }, options)
  }

  /**
   * Confirm a sign-up with the token of the e-mail.
   * Needs the password of the sign-up, so that an account of which another person has the password is not confirmed by mistake. The owner of the e-mail address can set another password with the same token: `POST /api/v1/users/reset-password`, which confirms the account too.
   */
  confirmSignUp(body: BodyOf<'confirmSignUp'>, options?: CallOptions): Promise<ReplyOf<'confirmSignUp'>> {
    return this.transport.call('confirmSignUp', { body }, options)
  }

  /** Set a new password with a reset token. */
  resetPassword(body: BodyOf<'resetPassword'>, options?: CallOptions): Promise<ReplyOf<'resetPassword'>> {
    return this.transport.call('resetPassword', { body }, options)
  }

  /**
   * List all users.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listUsers'>> {
    return this.transport.pages('listUsers', { limit: pageSize }, options)
  }

  /** Create a user. */
  create(body: BodyOf<'createUser'>, options?: CallOptions): Promise<ReplyOf<'createUser'>> {
    return this.transport.call('createUser', { body }, options)
  }

  /** Read one user. */
  get(username: string, options?: CallOptions): Promise<ReplyOf<'getUser'>> {
    return this.transport.call('getUser', { params: { username } }, options)
  }

  /**
   * Change a user's password or roles.
   * A change revokes all tokens of the user. Users who are not administrators may change only their own password.
   */
  update(username: string, body: BodyOf<'updateUser'>, options?: CallOptions): Promise<ReplyOf<'updateUser'>> {
    return this.transport.call('updateUser', { params: { username }, body }, options)
  }

  /** Delete a user. */
  remove(username: string, options?: CallOptions): Promise<ReplyOf<'deleteUser'>> {
    return this.transport.call('deleteUser', { params: { username } }, options)
  }

  /** Read how accounts are created and passwords changed here. */
  signInOptions(options?: CallOptions): Promise<ReplyOf<'getSignInOptions'>> {
    return this.transport.call('getSignInOptions', {}, options)
  }

  /** Read the calling user. */
  me(options?: CallOptions): Promise<ReplyOf<'getMe'>> {
    return this.transport.call('getMe', {}, options)
  }
}

export class AgentsMethods extends Resource {
  /** Register an agent. */
  register(body: BodyOf<'createAgent'>, options?: CallOptions): Promise<ReplyOf<'createAgent'>> {
    return this.transport.call('createAgent', { body }, options)
  }

  /** Read one agent. */
  get(apId: string, options?: CallOptions): Promise<ReplyOf<'getAgent'>> {
    return this.transport.call('getAgent', { params: { ap_id: apId } }, options)
  }

  /**
   * Read what an agent sent and was rejected, and whether it is suspended.
   * Over MQTT an agent gets no response: samples that are rejected after the broker has acknowledged them are counted here.
   */
  rejections(apId: string, options?: CallOptions): Promise<ReplyOf<'getAgentRejections'>> {
    return this.transport.call('getAgentRejections', { params: { ap_id: apId } }, options)
  }

  /**
   * Change an agent's password or configuration.
   * A new password revokes all tokens of the agent.
   */
  update(apId: string, body: BodyOf<'updateAgent'>, options?: CallOptions): Promise<ReplyOf<'updateAgent'>> {
    return this.transport.call('updateAgent', { params: { ap_id: apId }, body }, options)
  }

  /** Delete an agent. */
  remove(apId: string, options?: CallOptions): Promise<ReplyOf<'deleteAgent'>> {
    return this.transport.call('deleteAgent', { params: { ap_id: apId } }, options)
  }

  /**
   * List the stored versions of the configuration of an agent, newest first.
   * A version is stored with each change, by a user or by the agent itself. The newest `MANC_CONFIGURATION_VERSIONS` are kept, up to `MANC_CONFIGURATION_VERSIONS_BYTES`. To restore one, send it with `PUT /api/v1/agents/{ap_id}`. An agent sends its own configuration when it connects, which replaces the stored one where they differ.
   */
  configurations(apId: string, options?: CallOptions): Promise<ReplyOf<'listAgentConfigurations'>> {
    return this.transport.call('listAgentConfigurations', { params: { ap_id: apId } }, options)
  }

  /**
   * Onboard, or send telemetry.
   * A free-form object. Recognised: `ap_id`, `configuration`, `payload` (also `data`, `metrics`, `telemetry`), `ts` (also `timestamp`, `time`; RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970), `samples` (a list of `{ts, payload}`), `results` (a list of `{id, state, result}`: outcomes of commands). A body with none of these is one sample. 200 means that the samples are stored durably.
   */
  sendUpdate(body: BodyOf<'sendUpdate'>, options?: CallOptions): Promise<ReplyOf<'sendUpdate'>> {
    return this.transport.call('sendUpdate', { body }, options)
  }

  /**
   * List all agents with their configuration.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listAgentDetails'>> {
    return this.transport.pages('listAgentDetails', { limit: pageSize }, options)
  }
}

export type RolloutsAgentsFilter = Omit<QueryOf<'listRolloutAgents'>, 'limit' | 'after'>

export class RolloutsMethods extends Resource {
  /**
   * Read what a change would alter, for each access point.
   * Changes nothing. At least one criterion besides `emulated`; at most 10000 access points may match.
   */
  preview(body: BodyOf<'previewRollout'>, options?: CallOptions): Promise<ReplyOf<'previewRollout'>> {
    return this.transport.call('previewRollout', { body }, options)
  }

  /**
   * Change the configuration of many access points in stages.
   * First of one access point, then of 10 %, then of all; those that are online come first. At the end of the observation of a stage, one that was online and not bad when it was changed, and is now offline or has bad health, has failed, as has one that could not be changed. With more than `max_failures` the rollout stops. It changes the record of the controller: an agent that sends its own configuration when it connects replaces it. 409: the caller has `MANC_ROLLOUTS` rollouts in progress.
   */
  create(body: BodyOf<'createRollout'>, options?: CallOptions): Promise<ReplyOf<'createRollout'>> {
    return this.transport.call('createRollout', { body }, options)
  }

  /**
   * List rollouts, newest first.
   * Of all users. A `Link` header points to the next page. They are kept for `MANC_ROLLOUT_DAYS` after they have ended, paused or stopped, and at most `MANC_ROLLOUTS_KEPT` of each user.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listRollouts'>> {
    return this.transport.pages('listRollouts', { limit: pageSize }, options)
  }

  /** Read one rollout. */
  get(id: string, options?: CallOptions): Promise<ReplyOf<'getRollout'>> {
    return this.transport.call('getRollout', { params: { id } }, options)
  }

  /**
   * List the access points of a rollout with their states.
   * By id. A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  agents(id: string, { state, pageSize = 1000, ...options }: RolloutsAgentsFilter & PageOptions = {}): Stream<ItemOf<'listRolloutAgents'>> {
    return this.transport.pages('listRolloutAgents', { state, limit: pageSize }, options, { id })
  }

  /**
   * Pause a rollout.
   * What was changed stays changed. It can be resumed or undone. 409: it is not running.
   */
  pause(id: string, options?: CallOptions): Promise<ReplyOf<'pauseRollout'>> {
    return this.transport.call('pauseRollout', { params: { id } }, options)
  }

  /**
   * Continue a rollout that has paused or stopped.
   * In the name of the caller. Failures until now no longer count, and are not tried again. 409: it has not paused or stopped, or the caller has `MANC_ROLLOUTS` rollouts in progress.
   */
  resume(id: string, options?: CallOptions): Promise<ReplyOf<'resumeRollout'>> {
    return this.transport.call('resumeRollout', { params: { id } }, options)
  }

  /**
   * Undo a rollout.
   * In the name of the caller. Each access point gets back the version of its configuration before the rollout, if the version of the rollout is still the newest; otherwise it is skipped. Access points that were not changed yet stay as they are. 409: it is undone already, or the caller has `MANC_ROLLOUTS` rollouts in progress.
   */
  undo(id: string, options?: CallOptions): Promise<ReplyOf<'undoRollout'>> {
    return this.transport.call('undoRollout', { params: { id } }, options)
  }
}

export class EnrolmentMethods extends Resource {
  /** Create a token with which agents register themselves. */
  create(body: BodyOf<'createEnrolmentToken'> = {}, options?: CallOptions): Promise<ReplyOf<'createEnrolmentToken'>> {
    return this.transport.call('createEnrolmentToken', { body }, options)
  }

  /** List valid enrolment tokens. */
  list(options?: CallOptions): Promise<ReplyOf<'listEnrolmentTokens'>> {
    return this.transport.call('listEnrolmentTokens', {}, options)
  }

  /** Delete an enrolment token. */
  remove(id: string, options?: CallOptions): Promise<ReplyOf<'deleteEnrolmentToken'>> {
    return this.transport.call('deleteEnrolmentToken', { params: { id } }, options)
  }
}

export class AppsMethods extends Resource {
  /** Register a third-party application. */
  register(body: BodyOf<'createApp'>, options?: CallOptions): Promise<ReplyOf<'createApp'>> {
    return this.transport.call('createApp', { body }, options)
  }

  /**
   * List all third-party applications, without their keys.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listApps'>> {
    return this.transport.pages('listApps', { limit: pageSize }, options)
  }

  /**
   * Read one third-party application.
   * An application reads its own record with its key masked. A read of the key by an administrator is recorded in the audit log.
   */
  get(appName: string, options?: CallOptions): Promise<ReplyOf<'getApp'>> {
    return this.transport.call('getApp', { params: { app_name: appName } }, options)
  }

  /**
   * Change an application's key or permissions.
   * A change revokes all tokens of the application.
   */
  update(appName: string, body: BodyOf<'updateApp'>, options?: CallOptions): Promise<ReplyOf<'updateApp'>> {
    return this.transport.call('updateApp', { params: { app_name: appName }, body }, options)
  }

  /** Delete a third-party application. */
  remove(appName: string, options?: CallOptions): Promise<ReplyOf<'deleteApp'>> {
    return this.transport.call('deleteApp', { params: { app_name: appName } }, options)
  }
}

export class CallbacksMethods extends Resource {
  /**
   * Post an agent's data to a job.
   * For the subscriber of the service, for emulators (apps with the scope `callbacks:post`) and for administrators; other callers get 403. Stored, then delivered unchanged to the WebSocket client of the job. An unused job number creates a mailbox of the caller. A body above `MANC_BODY_LIMIT_BYTES` is accepted from the service and from apps only. With an `Idempotency-Key` a repeated post is delivered once. 429: results of the job, or of all jobs of its owner, have to be read first. 409 (emulator reports): the part is run by another emulator, or is over.
   */
  agentData(jobNumber: QueryOf<'postAgentData'>['job_number'], body: BodyOf<'postAgentData'>, options?: CallOptions): Promise<ReplyOf<'postAgentData'>> {
    return this.transport.call('postAgentData', { query: { job_number: jobNumber }, body }, options)
  }

  /**
   * Post details of agents to a job.
   * For the subscriber of the service, for emulators (apps with the scope `callbacks:post`) and for administrators; other callers get 403. Stored, then delivered unchanged to the WebSocket client of the job. An unused job number creates a mailbox of the caller. A body above `MANC_BODY_LIMIT_BYTES` is accepted from the service and from apps only. With an `Idempotency-Key` a repeated post is delivered once. 429: results of the job, or of all jobs of its owner, have to be read first. 409 (emulator reports): the part is run by another emulator, or is over.
   */
  agentDetails(jobNumber: QueryOf<'postAgentDetails'>['job_number'], body: BodyOf<'postAgentDetails'>, options?: CallOptions): Promise<ReplyOf<'postAgentDetails'>> {
    return this.transport.call('postAgentDetails', { query: { job_number: jobNumber }, body }, options)
  }

  /**
   * Post results of an emulation to a job.
   * For the subscriber of the service, for emulators (apps with the scope `callbacks:post`) and for administrators; other callers get 403. Stored, then delivered unchanged to the WebSocket client of the job. An unused job number creates a mailbox of the caller. A body above `MANC_BODY_LIMIT_BYTES` is accepted from the service and from apps only. With an `Idempotency-Key` a repeated post is delivered once. 429: results of the job, or of all jobs of its owner, have to be read first. 409 (emulator reports): the part is run by another emulator, or is over.
   */
  emulator(jobNumber: QueryOf<'postEmulator'>['job_number'], body: BodyOf<'postEmulator'>, options?: CallOptions): Promise<ReplyOf<'postEmulator'>> {
    return this.transport.call('postEmulator', { query: { job_number: jobNumber }, body }, options)
  }

  /**
   * Report the progress or the result of a run of an experiment.
   * For emulators. The same result can be reported again. 409: another emulator has the lease, or the run has ended; stop it.
   */
  experimentRun(body: BodyOf<'postExperimentRun'>, options?: CallOptions): Promise<ReplyOf<'postExperimentRun'>> {
    return this.transport.call('postExperimentRun', { body }, options)
  }
}

export type JobsGetFilter = Omit<QueryOf<'getJob'>, 'limit' | 'after'>

export type JobsFilter = Omit<QueryOf<'listJobs'>, 'limit' | 'after'>

export class JobsMethods extends Resource {
  /** Read one of your jobs. */
  get(jobNumber: string, { include, ...options }: JobsGetFilter & CallOptions = {}): Promise<ReplyOf<'getJob'>> {
    return this.transport.call('getJob', { params: { job_number: jobNumber }, query: { include } }, options)
  }

  /**
   * Cancel one of your jobs.
   * A command that its agent has not acknowledged is `skipped`; the agent may still carry out one that was sent. Of a command to many agents, those that were not acknowledged are cancelled, and the job ends when the others have. A request for data or details ends as `failed`, without the rest of its result. An emulation is stopped, and then ends as `succeeded`. Can be repeated. 409: the agent has the command, or the job has ended or has no end.
   */
  cancel(jobNumber: string, options?: CallOptions): Promise<ReplyOf<'cancelJob'>> {
    return this.transport.call('cancelJob', { params: { job_number: jobNumber } }, options)
  }

  /**
   * List your jobs, newest first.
   * Parts of a job are listed only with `parent`.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ parent, kind, state, pageSize = 1000, ...options }: JobsFilter & PageOptions = {}): Stream<ItemOf<'listJobs'>> {
    return this.transport.pages('listJobs', { parent, kind, state, limit: pageSize }, options)
  }
}

export class EmulationsMethods extends Resource {
  /**
   * List your emulations, newest first.
   * Emulations whose agents exist. An administrator gets those of all callers. A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listEmulations'>> {
    return this.transport.pages('listEmulations', { limit: pageSize }, options)
  }

  /**
   * Stop an emulation.
   * Its agents stop within seconds and are removed; their telemetry is kept. The job succeeds, with a summary and a detail that names the caller. If the emulation has ended already, its agents are removed now. For the owner and for administrators. Can be repeated.
   */
  stop(jobNumber: string, options?: CallOptions): Promise<ReplyOf<'stopEmulation'>> {
    return this.transport.call('stopEmulation', { params: { job_number: jobNumber } }, options)
  }
}

export class ViewsMethods extends Resource {
  /**
   * List your views of the table of agents, and those that others share.
   * Newest first. A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listViews'>> {
    return this.transport.pages('listViews', { limit: pageSize }, options)
  }

  /**
   * Get a view.
   * Your own, or one that is shared.
   */
  get(id: string, options?: CallOptions): Promise<ReplyOf<'getView'>> {
    return this.transport.call('getView', { params: { id } }, options)
  }

  /**
   * Save a view of the table of agents.
   * Columns, sort order and filters. The number of views of a user is limited.
   */
  create(body: BodyOf<'createView'>, options?: CallOptions): Promise<ReplyOf<'createView'>> {
    return this.transport.call('createView', { body }, options)
  }

  /**
   * Replace a view.
   * Only by its owner.
   */
  update(id: string, body: BodyOf<'updateView'>, options?: CallOptions): Promise<ReplyOf<'updateView'>> {
    return this.transport.call('updateView', { params: { id }, body }, options)
  }

  /**
   * Delete a view.
   * By its owner; a shared one also by an administrator.
   */
  remove(id: string, options?: CallOptions): Promise<ReplyOf<'deleteView'>> {
    return this.transport.call('deleteView', { params: { id } }, options)
  }
}

export type ClientsFilter = Omit<QueryOf<'listClients'>, 'limit' | 'after'>

export type ClientsGetFilter = Omit<QueryOf<'getClient'>, 'limit' | 'after'>

export class ClientsMethods extends Resource {
  /**
   * List clients and the access points that they are attached to.
   * Ordered by id, or with `sort=since` by the start of the attachment, newest first. A `Link` header points to the next page. An app gets clients of agents that its permissions cover.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ state, ap_id, technology, place, q, emulated, sort, measurements, pageSize = 1000, ...options }: ClientsFilter & PageOptions = {}): Stream<ItemOf<'listClients'>> {
    return this.transport.pages('listClients', { state, ap_id, technology, place, q, emulated, sort, measurements, limit: pageSize }, options)
  }

  /**
   * Read a client with the history of its attachments.
   * An app gets clients of agents that its permissions cover. The history has attachments to those agents only.
   */
  get(id: string, { from, to, history_limit, before, ...options }: ClientsGetFilter & CallOptions = {}): Promise<ReplyOf<'getClient'>> {
    return this.transport.call('getClient', { params: { id }, query: { from, to, history_limit, before } }, options)
  }

  /**
   * List the clients that are attached to an access point.
   * Ordered by id. A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  ofAgent(apId: string, { pageSize = 1000, ...options }: PageOptions = {}): Stream<ItemOf<'listAgentClients'>> {
    return this.transport.pages('listAgentClients', { limit: pageSize }, options, { ap_id: apId })
  }
}

export type EventsFilter = Omit<QueryOf<'listEvents'>, 'limit' | 'after'>

export class EventsMethods extends Resource {
  /**
   * List events, newest first.
   * A `Link` header points to the next page. An app gets events of agents that its permissions cover, those of alarms with the scope `alarms:read`, and those of clients with the scope `clients:read`. Logins of administrators are for administrators. New events are sent over a WebSocket at `/api/v1/events/stream`, with the same filters except `from` and `to`.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ ap_id, kind, severity, emulated, from, to, pageSize = 1000, ...options }: EventsFilter & PageOptions = {}): Stream<ItemOf<'listEvents'>> {
    return this.transport.pages('listEvents', { ap_id, kind, severity, emulated, from, to, limit: pageSize }, options)
  }
}

export type AlarmsFilter = Omit<QueryOf<'listAlarms'>, 'limit' | 'after'>

export type AlarmsSummaryFilter = Omit<QueryOf<'getAlarmSummary'>, 'limit' | 'after'>

export type AlarmsSilencesFilter = Omit<QueryOf<'listSilences'>, 'limit' | 'after'>

export class AlarmsMethods extends Resource {
  /**
   * List alarms, newest first.
   * A `Link` header points to the next page. An app gets alarms of agents that its permissions cover.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ state, severity, ap_id, rule, technology, acknowledged, silenced, inhibited, emulated, from, to, pageSize = 1000, ...options }: AlarmsFilter & PageOptions = {}): Stream<ItemOf<'listAlarms'>> {
    return this.transport.pages('listAlarms', { state, severity, ap_id, rule, technology, acknowledged, silenced, inhibited, emulated, from, to, limit: pageSize }, options)
  }

  /**
   * Read an alarm.
   * An app gets alarms of agents that its permissions cover.
   */
  get(id: string, options?: CallOptions): Promise<ReplyOf<'getAlarm'>> {
    return this.transport.call('getAlarm', { params: { id } }, options)
  }

  /**
   * Count open alarms by severity.
   * An app gets alarms of agents that its permissions cover.
   */
  summary({ emulated, ...options }: AlarmsSummaryFilter & CallOptions = {}): Promise<ReplyOf<'getAlarmSummary'>> {
    return this.transport.call('getAlarmSummary', { query: { emulated } }, options)
  }

  /**
   * Acknowledge an open alarm.
   * Done again, it can replace the comment. `acknowledged_by` and `acknowledged_at` are those of the first time.
   */
  acknowledge(id: string, body: BodyOf<'acknowledgeAlarm'> = {}, options?: CallOptions): Promise<ReplyOf<'acknowledgeAlarm'>> {
    return this.transport.call('acknowledgeAlarm', { params: { id }, body }, options)
  }

  /**
   * Acknowledge several open alarms.
   * With one comment. Those that are not open any more are left out. Done again as for one alarm.
   */
  acknowledgeAll(body: BodyOf<'acknowledgeAlarms'>, options?: CallOptions): Promise<ReplyOf<'acknowledgeAlarms'>> {
    return this.transport.call('acknowledgeAlarms', { body }, options)
  }

  /** Assign an open alarm to a user. */
  assign(id: string, body: BodyOf<'assignAlarm'>, options?: CallOptions): Promise<ReplyOf<'assignAlarm'>> {
    return this.transport.call('assignAlarm', { params: { id }, body }, options)
  }

  /** List the rules of alarms. */
  rules(options?: CallOptions): Promise<ReplyOf<'listAlarmRules'>> {
    return this.transport.call('listAlarmRules', {}, options)
  }

  /**
   * Create a rule.
   * An expression is checked by the metrics store before the rule is stored.
   */
  createRule(body: BodyOf<'createAlarmRule'>, options?: CallOptions): Promise<ReplyOf<'createAlarmRule'>> {
    return this.transport.call('createAlarmRule', { body }, options)
  }

  /**
   * Count the alarms that a rule would have raised in the last 24 hours.
   * Nothing is stored. The values of each minute are compared; the clear condition and whether agents were offline are left out. Not for `presence`.
   */
  previewRule(body: BodyOf<'previewAlarmRule'>, options?: CallOptions): Promise<ReplyOf<'previewAlarmRule'>> {
    return this.transport.call('previewAlarmRule', { body }, options)
  }

  /**
   * Replace a rule.
   * Clears its alarms if it is disabled or has another metric, and those of agents that are out of its scope. Of a built-in rule only `is_enabled` can be changed.
   */
  updateRule(id: string, body: BodyOf<'updateAlarmRule'>, options?: CallOptions): Promise<ReplyOf<'updateAlarmRule'>> {
    return this.transport.call('updateAlarmRule', { params: { id }, body }, options)
  }

  /** Delete a rule that is not built in, and clear its alarms. */
  removeRule(id: string, options?: CallOptions): Promise<ReplyOf<'deleteAlarmRule'>> {
    return this.transport.call('deleteAlarmRule', { params: { id } }, options)
  }

  /**
   * List silences and maintenance windows, newest first.
   * A `Link` header points to the next page. An app gets those that it created, and those whose agents its permissions cover.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  silences({ state, pageSize = 1000, ...options }: AlarmsSilencesFilter & PageOptions = {}): Stream<ItemOf<'listSilences'>> {
    return this.transport.pages('listSilences', { state, limit: pageSize }, options)
  }

  /**
   * Silence alarms for a time, or in weekly maintenance windows.
   * Silenced alarms are raised and cleared as usual, but not notified. An app can silence only agents that its permissions cover.
   */
  silence(body: BodyOf<'createSilence'>, options?: CallOptions): Promise<ReplyOf<'createSilence'>> {
    return this.transport.call('createSilence', { body }, options)
  }

  /**
   * Change the end or the comment of a silence.
   * Members that are left out are not changed. An app can change the silences that it created.
   */
  updateSilence(id: string, body: BodyOf<'updateSilence'>, options?: CallOptions): Promise<ReplyOf<'updateSilence'>> {
    return this.transport.call('updateSilence', { params: { id }, body }, options)
  }

  /**
   * End a silence now.
   * It is still listed with the state `ended`. An app can end the silences that it created.
   */
  endSilence(id: string, options?: CallOptions): Promise<ReplyOf<'endSilence'>> {
    return this.transport.call('endSilence', { params: { id } }, options)
  }
}

export type DecisionsFilter = Omit<QueryOf<'listDecisions'>, 'limit' | 'after'>

export class DecisionsMethods extends Resource {
  /**
   * Record a decision, propose it, or execute it.
   * The permissions of an app have to cover every access point that the decision names, and to send commands in mode `act`. The response has the verdict of the arbiter for each command. With an `Idempotency-Key` a repeated request creates no second decision and no second command.
   */
  create(body: BodyOf<'createDecision'>, options?: CallOptions): Promise<ReplyOf<'createDecision'>> {
    return this.transport.call('createDecision', { body }, options)
  }

  /**
   * List decisions, newest first.
   * A `Link` header points to the next page. An app gets the decisions that it has created, as far as its permissions cover all access points that they name.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ owner, ap_id, client, state, from, to, pageSize = 1000, ...options }: DecisionsFilter & PageOptions = {}): Stream<ItemOf<'listDecisions'>> {
    return this.transport.pages('listDecisions', { owner, ap_id, client, state, from, to, limit: pageSize }, options)
  }

  /**
   * Read one decision.
   * An app gets the decisions that it has created, as far as its permissions cover all access points that they name.
   */
  get(id: string, options?: CallOptions): Promise<ReplyOf<'getDecision'>> {
    return this.transport.call('getDecision', { params: { id } }, options)
  }

  /**
   * Confirm a proposal, which sends its commands.
   * With the permissions and the priority that its app has now. 409: it is no open proposal, or the arbiter has refused a command; then the proposal stays open. A repeated confirmation changes nothing.
   */
  confirm(id: string, options?: CallOptions): Promise<ReplyOf<'confirmDecision'>> {
    return this.transport.call('confirmDecision', { params: { id } }, options)
  }

  /**
   * Reject a proposal.
   * A repeated rejection changes nothing.
   */
  reject(id: string, options?: CallOptions): Promise<ReplyOf<'rejectDecision'>> {
    return this.transport.call('rejectDecision', { params: { id } }, options)
  }
}

export type ExperimentsFilter = Omit<QueryOf<'listExperiments'>, 'limit' | 'after'>

export class ExperimentsMethods extends Resource {
  /**
   * Compare policies in a simulated world.
   * Emulator processes execute one run for each policy and seed, in accelerated time. A run with the same world, seed and policy has the same result again. 409: the caller has `MANC_EXPERIMENTS` experiments in progress, or `MANC_EXPERIMENTS_KEPT` stored. With an `Idempotency-Key` a repeated request creates no second experiment.
   */
  create(body: BodyOf<'createExperiment'>, options?: CallOptions): Promise<ReplyOf<'createExperiment'>> {
    return this.transport.call('createExperiment', { body }, options)
  }

  /**
   * List experiments, newest first.
   * Without their results. A `Link` header points to the next page. They are kept for `MANC_EXPERIMENT_DAYS`. An app gets the experiments that it has created; operators get all.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ owner, state, pageSize = 1000, ...options }: ExperimentsFilter & PageOptions = {}): Stream<ItemOf<'listExperiments'>> {
    return this.transport.pages('listExperiments', { owner, state, limit: pageSize }, options)
  }

  /**
   * Read an experiment with its results.
   * Also while it runs: of the runs that have finished. An app gets the experiments that it has created; operators get all.
   */
  get(id: string, options?: CallOptions): Promise<ReplyOf<'getExperiment'>> {
    return this.transport.call('getExperiment', { params: { id } }, options)
  }

  /**
   * Cancel an experiment.
   * Runs that have finished keep their results. For the owner and for administrators. One that has ended stays as it is.
   */
  cancel(id: string, options?: CallOptions): Promise<ReplyOf<'cancelExperiment'>> {
    return this.transport.call('cancelExperiment', { params: { id } }, options)
  }

  /**
   * Delete an experiment with its results.
   * One in progress is cancelled. For the owner and for administrators.
   */
  remove(id: string, options?: CallOptions): Promise<ReplyOf<'deleteExperiment'>> {
    return this.transport.call('deleteExperiment', { params: { id } }, options)
  }

  /**
   * Simulate the next minutes of the network, with and without a policy or a command.
   * Builds a world from access points that are not offline and have a position: their technologies, positions, channels, clients and throughput now, and what measured clients hear and receive. At least one of `agents`, `area` and `technology`; at most 200 access points with 2000 clients, and 10000000 clients times seconds. What is not known is assumed, and differs between seeds: where clients walk, and places, radios and traffic of clients without a measurement; the number of clients stays the same. Exactly one of `policy`, `document` and `command`. The response is an experiment with the policy `none` and the other one; its results have the difference with its 95 % interval. Nothing is sent to access points. An app gets access points that its permissions cover, and needs `agents:read` and `metrics:read` as well. 404: none of the access points can be simulated, or not the one of the command; `left_out` of the response counts selected ones that are not in the world.
   */
  whatIf(body: BodyOf<'createWhatIf'> = {}, options?: CallOptions): Promise<ReplyOf<'createWhatIf'>> {
    return this.transport.call('createWhatIf', { body }, options)
  }
}

export type NotificationsDeliveriesFilter = Omit<QueryOf<'listNotificationDeliveries'>, 'limit' | 'after'>

export class NotificationsMethods extends Resource {
  /** List the receivers of notifications. */
  receivers(options?: CallOptions): Promise<ReplyOf<'listNotificationReceivers'>> {
    return this.transport.call('listNotificationReceivers', {}, options)
  }

  /**
   * Create a receiver.
   * The response has the secret of a webhook. It is returned only once.
   */
  createReceiver(body: BodyOf<'createNotificationReceiver'>, options?: CallOptions): Promise<ReplyOf<'createNotificationReceiver'>> {
    return this.transport.call('createNotificationReceiver', { body }, options)
  }

  /**
   * Replace a receiver.
   * Its type and the secret of a webhook stay the same.
   */
  updateReceiver(id: string, body: BodyOf<'updateNotificationReceiver'>, options?: CallOptions): Promise<ReplyOf<'updateNotificationReceiver'>> {
    return this.transport.call('updateNotificationReceiver', { params: { id }, body }, options)
  }

  /**
   * Delete a receiver that no route uses.
   * Messages that are queued for it are not sent.
   */
  removeReceiver(id: string, options?: CallOptions): Promise<ReplyOf<'deleteNotificationReceiver'>> {
    return this.transport.call('deleteNotificationReceiver', { params: { id } }, options)
  }

  /**
   * Replace the secret of a webhook.
   * Messages are signed with the new secret from now on, also those that are queued.
   */
  rotateSecret(id: string, options?: CallOptions): Promise<ReplyOf<'rotateNotificationSecret'>> {
    return this.transport.call('rotateNotificationSecret', { params: { id } }, options)
  }

  /** List the routes: which alarms are sent to which receiver. */
  routes(options?: CallOptions): Promise<ReplyOf<'listNotificationRoutes'>> {
    return this.transport.call('listNotificationRoutes', {}, options)
  }

  /**
   * Create a route.
   * It applies to alarms that are raised from now on.
   */
  createRoute(body: BodyOf<'createNotificationRoute'>, options?: CallOptions): Promise<ReplyOf<'createNotificationRoute'>> {
    return this.transport.call('createNotificationRoute', { body }, options)
  }

  /** Replace a route. */
  updateRoute(id: string, body: BodyOf<'updateNotificationRoute'>, options?: CallOptions): Promise<ReplyOf<'updateNotificationRoute'>> {
    return this.transport.call('updateNotificationRoute', { params: { id }, body }, options)
  }

  /**
   * Delete a route.
   * Alarms that wait for a message of the route are left out. Messages that are queued are sent.
   */
  removeRoute(id: string, options?: CallOptions): Promise<ReplyOf<'deleteNotificationRoute'>> {
    return this.transport.call('deleteNotificationRoute', { params: { id } }, options)
  }

  /**
   * Send a test message.
   * The message is queued. Read the delivery to see its result.
   */
  test(id: string, options?: CallOptions): Promise<ReplyOf<'testNotificationReceiver'>> {
    return this.transport.call('testNotificationReceiver', { params: { id } }, options)
  }

  /**
   * List messages and whether they were sent, newest first.
   * A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  deliveries({ receiver, status, pageSize = 1000, ...options }: NotificationsDeliveriesFilter & PageOptions = {}): Stream<ItemOf<'listNotificationDeliveries'>> {
    return this.transport.pages('listNotificationDeliveries', { receiver, status, limit: pageSize }, options)
  }

  /** Get one message, with its alarms. */
  delivery(id: string, options?: CallOptions): Promise<ReplyOf<'getNotificationDelivery'>> {
    return this.transport.call('getNotificationDelivery', { params: { id } }, options)
  }

  /**
   * Send a failed message again.
   * It is queued again, with the same id.
   */
  retry(id: string, options?: CallOptions): Promise<ReplyOf<'retryNotificationDelivery'>> {
    return this.transport.call('retryNotificationDelivery', { params: { id } }, options)
  }
}

export type AuditFilter = Omit<QueryOf<'listAudit'>, 'limit' | 'after'>

export class AuditMethods extends Resource {
  /**
   * List audit entries, newest first.
   * A `Link` header points to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ actor, action, target, from, to, pageSize = 1000, ...options }: AuditFilter & PageOptions = {}): Stream<ItemOf<'listAudit'>> {
    return this.transport.pages('listAudit', { actor, action, target, from, to, limit: pageSize }, options)
  }
}

export class SystemMethods extends Resource {
  /**
   * Get the health of the controller itself.
   * Engines, queues, jobs, disks, processes and `vmalert`, each with a reason and the next step. Collected at most every 3 seconds, by the process that answers. Without PostgreSQL every token is refused with 503: `/readyz` shows the engines then.
   */
  health(options?: CallOptions): Promise<ReplyOf<'getSystemHealth'>> {
    return this.transport.call('getSystemHealth', {}, options)
  }
}
