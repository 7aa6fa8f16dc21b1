import type { Agent, AgentCreate, AgentReport } from '@manc/contract'
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

  /** Registers an agent with an enrolment token, without a session. */
  enrol(agent: AgentCreate, enrolmentToken: string, options?: CallOptions): Promise<Agent> {
    return this.transport.call('createAgentPublic', { body: agent, bearer: enrolmentToken }, options)
  }
}
