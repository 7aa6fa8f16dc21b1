// Generated from the contract by `npm run docs`. Do not edit.
import type { BodyOf, QueryOf, ReplyOf } from '@manc/contract'
import { Resource } from '../resource.ts'
import type { Stream } from '../stream.ts'
import type { CallOptions, ItemOf, PageOptions } from '../transport.ts'

export class UsersMethods extends Resource {
  /** Register oneself as a standard user. */
  signUp(body: BodyOf<'signUp'>, options?: CallOptions): Promise<ReplyOf<'signUp'>> {
    return this.transport.call('signUp', { body }, options)
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
   * A change ends every token that the user held. Users may change their own password only.
   */
  update(username: string, body: BodyOf<'updateUser'>, options?: CallOptions): Promise<ReplyOf<'updateUser'>> {
    return this.transport.call('updateUser', { params: { username }, body }, options)
  }

  /** Delete a user. */
  remove(username: string, options?: CallOptions): Promise<ReplyOf<'deleteUser'>> {
    return this.transport.call('deleteUser', { params: { username } }, options)
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
   * Change an agent's password or configuration.
   * A new password ends every token that the agent held.
   */
  update(apId: string, body: BodyOf<'updateAgent'>, options?: CallOptions): Promise<ReplyOf<'updateAgent'>> {
    return this.transport.call('updateAgent', { params: { ap_id: apId }, body }, options)
  }

  /** Delete an agent. */
  remove(apId: string, options?: CallOptions): Promise<ReplyOf<'deleteAgent'>> {
    return this.transport.call('deleteAgent', { params: { ap_id: apId } }, options)
  }

  /**
   * Onboard, or send telemetry.
   * A free-form object. Recognised: `ap_id`, `configuration`, `payload` (also `data`, `metrics`, `telemetry`), `ts` (also `timestamp`, `time`), `samples` (a list of `{ts, payload}`), `results` (a list of `{id, state, result}`: what has become of commands). A body with none of these is itself one sample. 200 means that it is safe.
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

export class EnrolmentMethods extends Resource {
  /** Make a token with which agents register themselves. */
  create(body: BodyOf<'createEnrolmentToken'> = {}, options?: CallOptions): Promise<ReplyOf<'createEnrolmentToken'>> {
    return this.transport.call('createEnrolmentToken', { body }, options)
  }

  /** List the enrolment tokens that still live. */
  list(options?: CallOptions): Promise<ReplyOf<'listEnrolmentTokens'>> {
    return this.transport.call('listEnrolmentTokens', {}, options)
  }

  /** Withdraw an enrolment token. */
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

  /** Read one third-party application. */
  get(appName: string, options?: CallOptions): Promise<ReplyOf<'getApp'>> {
    return this.transport.call('getApp', { params: { app_name: appName } }, options)
  }

  /**
   * Change an application's key or permissions.
   * A change ends every token that the application held.
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
   * Hand over an agent's data.
   * Always kept, then handed to the WebSocket client of the job, which gets exactly this array. A number that is not in use yet becomes the caller’s own. With an `Idempotency-Key` a repeated post is delivered once.
   */
  agentData(jobNumber: QueryOf<'postAgentData'>['job_number'], body: BodyOf<'postAgentData'>, options?: CallOptions): Promise<ReplyOf<'postAgentData'>> {
    return this.transport.call('postAgentData', { query: { job_number: jobNumber }, body }, options)
  }

  /**
   * Hand over details of agents.
   * Always kept, then handed to the WebSocket client of the job, which gets exactly this array. A number that is not in use yet becomes the caller’s own. With an `Idempotency-Key` a repeated post is delivered once.
   */
  agentDetails(jobNumber: QueryOf<'postAgentDetails'>['job_number'], body: BodyOf<'postAgentDetails'>, options?: CallOptions): Promise<ReplyOf<'postAgentDetails'>> {
    return this.transport.call('postAgentDetails', { query: { job_number: jobNumber }, body }, options)
  }

  /**
   * Hand over results of an emulation.
   * Always kept, then handed to the WebSocket client of the job, which gets exactly this array. A number that is not in use yet becomes the caller’s own. With an `Idempotency-Key` a repeated post is delivered once.
   */
  emulator(jobNumber: QueryOf<'postEmulator'>['job_number'], body: BodyOf<'postEmulator'>, options?: CallOptions): Promise<ReplyOf<'postEmulator'>> {
    return this.transport.call('postEmulator', { query: { job_number: jobNumber }, body }, options)
  }
}

export type JobsFilter = Omit<QueryOf<'listJobs'>, 'limit' | 'after'>

export class JobsMethods extends Resource {
  /** Read one of your jobs. */
  get(jobNumber: string, options?: CallOptions): Promise<ReplyOf<'getJob'>> {
    return this.transport.call('getJob', { params: { job_number: jobNumber } }, options)
  }

  /**
   * List your jobs, the newest first.
   * Parts of other jobs are listed with `parent` alone.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ parent, kind, state, pageSize = 1000, ...options }: JobsFilter & PageOptions = {}): Stream<ItemOf<'listJobs'>> {
    return this.transport.pages('listJobs', { parent, kind, state, limit: pageSize }, options)
  }
}

export class FleetMethods extends Resource {
  /**
   * Count the agents by technology and state.
   * An app counts the agents that it sees. Meant to be asked once a second.
   */
  summary(options?: CallOptions): Promise<ReplyOf<'getFleetSummary'>> {
    return this.transport.call('getFleetSummary', {}, options)
  }

  /**
   * Add up what the agents measure, by technology.
   * Over the newest value of each agent that sent within the last 30 s. Read at most every 5 s, for everybody together. An app gets the figures of the agents that it sees.
   */
  figures(options?: CallOptions): Promise<ReplyOf<'getFleetFigures'>> {
    return this.transport.call('getFleetFigures', {}, options)
  }
}

export type AuditFilter = Omit<QueryOf<'listAudit'>, 'limit' | 'after'>

export class AuditMethods extends Resource {
  /**
   * List what was changed and by whom, the newest first.
   * A `Link` header leads to the next page.
   * Read page by page while you iterate; `pageSize` is the number of items in a request.
   */
  list({ actor, action, target, from, to, pageSize = 1000, ...options }: AuditFilter & PageOptions = {}): Stream<ItemOf<'listAudit'>> {
    return this.transport.pages('listAudit', { actor, action, target, from, to, limit: pageSize }, options)
  }
}
