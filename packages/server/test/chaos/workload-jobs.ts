import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Envelope, type FleetAgent, JobReader } from '@manc/harness/load'
import { AgentMqtt } from '@manc/sdk/agent'
import type { HistoryOfAgent } from './agent-history.ts'
import { type Context, oneOf, perform, repeat } from './caller.ts'

/** Jobs and commands that were accepted, until their end. */
export class OpenJobs {
  readonly #readers = new Map<string, JobReader>()

  get count(): number {
    return this.#readers.size
  }

  /** Reads the messages of a job, on sockets of either api, until the last one. */
  read({ history, urls, token }: Context, id: string, jobNumber: string, expected?: unknown[]): void {
    const items: unknown[] = []
    const received = ({ type, final, data }: Envelope) => {
      if (type === 'result') items.push(...(data as unknown[]))
      if (!final) return
      const [first] = items as { state?: string }[]
      const isFailure = type === 'state'
      const state = isFailure ? (data as { state: string }).state : (first?.state ?? 'succeeded')
      const isWrong = !isFailure && expected !== undefined && !isDeepStrictEqual(items, expected)
      history.add({ type: 'ended', id, state, isWrong })
      this.#readers.delete(id)
    }
    this.#readers.set(id, new JobReader({ urls, token, jobNumber, received, lost: () => {} }))
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.stop()
  }
}

/** Jobs with the history of an agent, whose result is known. */
export async function jobs(context: Context, open: OpenJobs, { path, points }: HistoryOfAgent) {
  await repeat(context, 1000, async (n) => {
    const { id, outcome, body } = await perform(context, {
      kind: 'job',
      subject: `${context.prefix}-job-${n}`,
      method: 'POST',
      path,
      token: context.token,
      attempts: 4,
      headers: { 'idempotency-key': randomUUID() },
    })
    if (outcome === 'ok') open.read(context, id, String(body.job_number), points)
  })
}

/** Each with a text of its own, so that the agent can tell a command that was sent twice. */
export async function commands(context: Context, open: OpenJobs, agents: readonly FleetAgent[]) {
  await repeat(context, 1000, async (n) => {
    const subject = `${context.prefix}-command-${n}`
    const { apId } = oneOf(agents, context.random)
    const { id, outcome, body } = await perform(context, {
      kind: 'command',
      subject,
      method: 'POST',
      path: `/api/v1/send_command?agent_id=${apId}&command=${subject}`,
      token: context.token,
      attempts: 4,
      headers: { 'idempotency-key': randomUUID() },
    })
    if (outcome === 'ok') open.read(context, id, String(body.job_number))
  })
}

/** Agents on the SDK, which execute every command at once. */
export async function startExecutors(context: Context, agents: readonly FleetAgent[]): Promise<AgentMqtt[]> {
  return Promise.all(
    agents.map(async ({ apId, password }) => {
      const agent = new AgentMqtt({
        url: context.apiUrl,
        mqttUrl: context.mqttUrl,
        apId,
        password,
        onCommand: ({ command }) => {
          context.history.add({ type: 'executed', subject: command })
          return {}
        },
      })
      await agent.start()
      return agent
    }),
  )
}
