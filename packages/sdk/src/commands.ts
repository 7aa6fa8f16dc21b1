import type { CommandNews, CommandOutcome, CommandToMany, JobMessage, JobNews } from '@manc/contract'
import { JobFailed } from './errors.ts'
import { Resource } from './resource.ts'
import { RunningJob } from './running-job.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

/** Update of a command to many agents: the number of agents in each state, and finally all outcomes. */
export interface ManyNews {
  progress?: Record<string, number>
  outcomes?: CommandOutcome[]
}

/** A command to many agents, in progress. */
export interface SentToMany extends RunningJob<ManyNews> {
  /** Number of agents that receive it. */
  agents: number
  /** Number of selected agents that do not receive it. */
  skipped: number
}

export class Commands extends Resource {
  /** Sends a command to one agent. `done()` throws if the agent did not execute it. */
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
        news.detail ?? ended[news.state] ?? `The command ended as ${news.state}.`,
      )
  }
}

const ended: Record<string, string> = {
  failed: 'The agent could not execute the command.',
  expired: 'The agent was not connected. Check that it is online, and send the command again.',
  timed_out:
    'The agent received the command but did not report a result. Check its telemetry before you send it again.',
  superseded: 'An application with a higher priority has reserved the agent.',
  skipped: 'The command was cancelled.',
}

async function* manyNewsOf(messages: AsyncIterable<JobMessage>): Stream<ManyNews> {
  for await (const { type, data, final, job_number } of messages) {
    if (type === 'result') yield { outcomes: data as CommandOutcome[] }
    else {
      const { progress, state, detail } = data as JobNews
      if (final) throw new JobFailed(job_number, state, detail ?? `The command ended as ${state}.`)
      if (progress) yield { progress }
    }
  }
}
