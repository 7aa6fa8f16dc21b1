import type { Agent, AgentCreate, AgentReport, ConfigurationVersionDetails } from '@manc/contract'
import { AgentsMethods } from './generated/methods.ts'
import { itemsOf } from './running-job.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export class Agents extends AgentsMethods {
  /** All agents with their connection state, as a job: for very large fleets. */
  async *report(options: CallOptions = {}): Stream<AgentReport> {
    const { job_number: number } = await this.transport.call('requestAllAgentsDetails', {}, options)
    yield* itemsOf<AgentReport>(readJob(this.transport, number, options))
  }

  /** One stored version of the configuration of an agent. */
  configuration(apId: string, version: number, options?: CallOptions): Promise<ConfigurationVersionDetails> {
    return this.transport.call('getAgentConfiguration', { params: { ap_id: apId, version } }, options)
  }

  /** Makes a stored version the configuration of the agent, as a new version. */
  async restore(apId: string, version: number, options?: CallOptions): Promise<Agent> {
    const { configuration } = await this.configuration(apId, version, options)
    return this.update(apId, { configuration }, options)
  }

  /** Registers an agent with an enrolment token, without a session. */
  enrol(agent: AgentCreate, enrolmentToken: string, options?: CallOptions): Promise<Agent> {
    return this.transport.call('createAgentPublic', { body: agent, bearer: enrolmentToken }, options)
  }
}
