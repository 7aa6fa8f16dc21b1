import type { CommandNews, CommandOutcome, CommandToMany, JobMessage, JobNews } from '@manc/contract'
import { JobFailed } from './errors.ts'
import { Resource } from './resource.ts'
import { RunningJob } from './running-job.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

/** Of one command to many: how many are in which state; in the end, what became of each. */
export interface ManyNews {
  progress?: Record<string, number>
  outcomes?: CommandOutcome[]
}

/** One command to many, under way. */
export interface SentToMany extends RunningJob<ManyNews> {
  /** How many it goes to. */
  agents: number
  /** How many were chosen and get none. */
  skipped: number
}

export class Commands extends Resource {
  /** To one agent. `done()` throws where the agent did not carry it out. */
  async send(apId: string, command: string, options: CallOptions = {}): Promise<RunningJob<CommandNews>> {
    const accepted = await this.transport.call('sendCommand', { query: { agent_id: apId, command } }, options)
    return new RunningJob(accepted.job_number, newsOf(this.#read(accepted.job_number, options)))
  }

  async sendToMany(command: CommandToMany, options: CallOptions = {}): Promise<SentToMany> {
    const accepted = await this.transport.call('sendCommands', { body: command }, options)
    const job = new RunningJob(accepted.job_number, manyNewsOf(this.#read(accepted.job_number, options)))
    return Object.assign(job, { agents: accepted.agents, skipped: accepted.skipped })
  }

  #read(jobNumber: string, { signal }: CallOptions): Stream<JobMessage> {
    return readJob(this.transport, jobNumber, { ...(signal && { signal }) })
  }
}

async function* newsOf(messages: AsyncIterable<JobMessage>): Stream<CommandNews> {
  for await (const { type, data, final, job_number } of messages) {
    const [news] = (type === 'result' ? data : [data]) as [CommandNews]
    yield news
    if (final && news.state !== 'succeeded')
      throw new JobFailed(
        job_number,
        news.state,
        news.detail ?? ended[news.state] ?? `It ended as ${news.state}.`,
      )
  }
}

const ended: Record<string, string> = {
  failed: 'The agent could not carry it out.',
  expired: 'The agent was not there to take it. Check that it is online, and send it again.',
  timed_out: 'The agent took it and said nothing more. Look at its telemetry before sending it again.',
  superseded: 'An application of higher priority took the agent over.',
}

async function* manyNewsOf(messages: AsyncIterable<JobMessage>): Stream<ManyNews> {
  for await (const { type, data, final, job_number } of messages) {
    if (type === 'result') yield { outcomes: data as CommandOutcome[] }
    else {
      const { progress, state, detail } = data as JobNews
      if (final) throw new JobFailed(job_number, state, detail ?? `It ended as ${state}.`)
      if (progress) yield { progress }
    }
  }
}
