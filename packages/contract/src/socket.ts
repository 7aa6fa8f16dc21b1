import Type, { type Static } from 'typebox'
import { jobStates } from './jobs.ts'
import { Nullable, oneOf } from './schema.ts'

/** A message on the socket of a job, for clients of `envelopeProtocol`. They acknowledge it by `seq`. */
export const JobMessage = Type.Object({
  type: oneOf(['result', 'state', 'live']),
  job_number: Type.String(),
  seq: Type.Integer({ description: '0: nothing to acknowledge, and nothing to resume.' }),
  final: Type.Boolean(),
  data: Type.Unknown(),
  skipped: Type.Optional(Type.Integer({ description: 'Live samples that were left out before this.' })),
})
export type JobMessage = Static<typeof JobMessage>

/** The state of a job, in a message of the type `state`. */
export const JobNews = Type.Object({
  state: oneOf(jobStates),
  detail: Type.Optional(Nullable(Type.String())),
  progress: Type.Optional(Type.Record(Type.String(), Type.Integer())),
})
export type JobNews = Static<typeof JobNews>

/** One value of the history of an agent. */
export const HistoryPoint = Type.Object({
  time: Type.String({ format: 'date-time' }),
  field: Type.String(),
  value: Type.Number(),
})
export type HistoryPoint = Static<typeof HistoryPoint>

/** One sample as it arrived. */
export const LiveSample = Type.Object({
  agent_id: Type.String(),
  time: Type.String({ format: 'date-time' }),
  values: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
})
export type LiveSample = Static<typeof LiveSample>

/** The state of a command, and at the end its result. */
export const CommandNews = Type.Object({
  job_number: Type.String(),
  agent_id: Type.String(),
  command: Type.String(),
  state: oneOf(jobStates),
  result: Type.Unknown(),
  detail: Nullable(Type.String()),
})
export type CommandNews = Static<typeof CommandNews>

/** The outcome of one command to many, for one agent. */
export const CommandOutcome = Type.Object({
  ...Type.Omit(CommandNews, ['command']).properties,
  ended_at: Nullable(Type.String({ format: 'date-time' })),
})
export type CommandOutcome = Static<typeof CommandOutcome>

/** The state of one part of an emulation. The last one describes the whole, with the state `finished`, `stopped` or `failed`. */
export const EmulationNews = Type.Object({
  part: Type.Optional(Type.Integer()),
  emulator: Type.Optional(Type.String()),
  state: oneOf(['starting', 'running', 'finished', 'stopped', 'failed']),
  agents: Type.Integer(),
  live: Type.Integer(),
  technologies: Type.Optional(
    Type.Record(Type.String(), Type.Object({ agents: Type.Integer(), live: Type.Integer() })),
  ),
  most_live: Type.Optional(Type.Integer()),
  failed: Type.Integer(),
  time_to_full_s: Nullable(Type.Number()),
  samples: Type.Optional(Type.Integer()),
  commands: Type.Optional(Type.Integer()),
  parts: Type.Optional(Type.Integer()),
})
export type EmulationNews = Static<typeof EmulationNews>

/** An agent in the result of a request for all of them. */
export const AgentReport = Type.Object({
  id: Type.String(),
  ap_id: Type.String(),
  configuration: Type.Record(Type.String(), Type.Unknown()),
  onboard: Type.Boolean(),
  online: Type.Boolean(),
})
export type AgentReport = Static<typeof AgentReport>
