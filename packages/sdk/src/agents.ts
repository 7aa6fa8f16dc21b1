import type {
  Agent,
  AgentCreate,
  AgentDetails,
  AgentReport,
  AgentUpdate,
  Done,
  UpdateAccepted,
} from '@manc/contract'
import { itemsOf } from './jobs.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export class Agents {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(apId: string, options?: CallOptions): Promise<Agent> {
    return this.#transport.call('getAgent', { params: { ap_id: apId } }, options)
  }

  list(options?: CallOptions): Stream<AgentDetails> {
    return this.#transport.pages('listAgentDetails', {}, options)
  }

  /** All of them as a job, with whether they are online: for very many, and read when it suits. */
  async *report(options: CallOptions = {}): Stream<AgentReport> {
    const { job_number: number } = await this.#transport.call('requestAllAgentsDetails', {}, options)
    yield* itemsOf<AgentReport>(readJob(this.#transport, number, options))
  }

  register(agent: AgentCreate, options?: CallOptions): Promise<Agent> {
    return this.#transport.call('createAgent', { body: agent }, options)
  }

  /** An agent registers itself, with an enrolment token. */
  enrol(agent: AgentCreate, enrolmentToken: string, options?: CallOptions): Promise<Agent> {
    return this.#transport.call('createAgentPublic', { body: agent, bearer: enrolmentToken }, options)
  }

  update(apId: string, change: AgentUpdate, options?: CallOptions): Promise<Agent> {
    return this.#transport.call('updateAgent', { params: { ap_id: apId }, body: change }, options)
  }

  remove(apId: string, options?: CallOptions): Promise<Done> {
    return this.#transport.call('deleteAgent', { params: { ap_id: apId } }, options)
  }

  /** One update in the name of an agent. Agents themselves use `@manc/sdk/agent`. */
  sendUpdate(update: Record<string, unknown>, options?: CallOptions): Promise<UpdateAccepted> {
    return this.#transport.call('sendUpdate', { body: update }, options)
  }
}
