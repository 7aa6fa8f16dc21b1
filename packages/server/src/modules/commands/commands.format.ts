import type { CommandForAgent, JobState } from '@manc/contract'
import type { JobUpdate } from '../jobs/index.ts'
import { endStates } from './commands.rules.ts'
import type { Change, Changed, Command } from './commands.store.ts'
import type { Part } from './parts.store.ts'

/** A report of an agent about a command, as JSON. */
export type CommandReport = Record<string, unknown>

const steering = /^\s*steer_client\s+(\S+)(?:\s+(\S+))?/

/** The client and the target of a command that steers a client; undefined of other commands. */
export function steeringOf(command: string): { client: string; to: string | undefined } | undefined {
  const [, client, to] = steering.exec(command) ?? []
  return client === undefined ? undefined : { client, to }
}

/** The client of `steer_client <client> <ap_id>`; null of other commands, also of `steer_client <ap_id> <count>`. */
export function steeredClient(command: string): string | null {
  const { client, to } = steeringOf(command) ?? {}
  return client === undefined || to === undefined || /^\d+$/.test(to) ? null : client
}

/** A name that is shorter may be a part of other words. */
const minPartLength = 6

/** Replaces the name of a client by its id in what an agent reports. */
export const hidden =
  (name: string, id: string) =>
  (text: string): string =>
    text === name ? id : name.length < minPartLength ? text : text.replaceAll(name, id)

const commandId = /^[\da-f-]{36}$/

const reportedStates: [RegExp, JobState][] = [
  [/^(delivered|received|accepted|ack|acknowledged|running)$/i, 'delivered'],
  [/^(succeeded|success|ok|done|completed)$/i, 'succeeded'],
  [/^(failed|failure|error|refused|rejected)$/i, 'failed'],
]

/** `names`: of clients at their access points, by id. */
export const toCommandForAgent = (
  { jobNumber, command, expiresAt }: Command,
  names: ReadonlyMap<string, string>,
): CommandForAgent => ({
  id: jobNumber,
  command: withName(command, names),
  expires_at: expiresAt.toISOString(),
})

/** Undefined if it is no report about a command. */
export function readReport(
  { id, state, status, result, detail }: CommandReport,
  hide: (text: string) => string = (text) => text,
): Change | undefined {
  const reported = state ?? status
  const known =
    typeof reported === 'string' ? reportedStates.find(([pattern]) => pattern.test(reported)) : undefined
  if (typeof id !== 'string' || !commandId.test(id) || !known) return undefined
  return {
    jobNumber: id,
    state: known[1],
    result: result === undefined ? undefined : textOf(result, hide),
    // PostgreSQL cannot store this character.
    detail: typeof detail === 'string' ? hide(detail).slice(0, 1000).replaceAll('\0', '\ufffd') : undefined,
  }
}

function withName(command: string, names: ReadonlyMap<string, string>): string {
  const client = steeringOf(command)?.client
  const name = client === undefined ? undefined : names.get(client)
  return client === undefined || name === undefined ? command : command.replace(client, () => name)
}

const textOf = (result: unknown, hide: (text: string) => string): string =>
  JSON.stringify(result, (_key, value: unknown) => (typeof value === 'string' ? hide(value) : value))

/** The last message is the result of the job. */
export function toJobUpdate(changed: Changed): JobUpdate {
  const { jobNumber, apId, command, state, detail } = changed
  const data = withOutcome({ job_number: jobNumber, agent_id: apId, command, state }, changed)
  const final = endStates.includes(state)
  return { jobNumber, state, detail, final, data: final ? `[${data}]` : data }
}

export const toResultItem = (part: Part): string =>
  withOutcome(
    {
      agent_id: part.apId,
      job_number: part.jobNumber,
      state: part.state,
      ended_at: part.endedAt?.toISOString() ?? null,
    },
    part,
  )

/** The agent's result is JSON text already. */
const withOutcome = (
  fields: Record<string, string | null>,
  { result, detail }: { result: string | null; detail: string | null },
) => `${JSON.stringify(fields).slice(0, -1)},"result":${result ?? 'null'},"detail":${JSON.stringify(detail)}}`
