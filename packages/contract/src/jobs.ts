import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, Moment, Nullable, oneOf, pageFields } from './schema.ts'

export const jobKinds = [
  'agent_details',
  'agent_data',
  'agent_live',
  'send_command',
  'send_commands',
  'emulator_spinup',
  'mailbox',
] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * A command goes from `queued` through `sent` to `delivered`, and ends in one of the last six. Other jobs are queued, run,
 * and succeed or fail. `open` is a job without a defined end, or one that waits for its parts.
 */
export const jobStates = [
  'queued',
  'running',
  'open',
  'sent',
  'delivered',
  'succeeded',
  'failed',
  'timed_out',
  'expired',
  'superseded',
  'skipped',
] as const
export type JobState = (typeof jobStates)[number]

export const JobAccepted = Type.Object(
  {
    job_number: Type.String({
      format: 'uuid',
      description:
        'The result is delivered on the WebSocket `/api/v1/ws/{job_number}`, which is closed with 1000 when the job has ended and all is delivered. Without the subprotocol `manc.v1` it is closed with 1011 if the job has failed.',
    }),
  },
  { title: 'JobAccepted' },
)
export type JobAccepted = Static<typeof JobAccepted>

export const Job = Type.Object(
  {
    job_number: Type.String(),
    kind: oneOf(jobKinds),
    title: Type.String({
      description: 'What it does and to which access points: `set_power 41 → 20 LiFi access points`.',
    }),
    agent_id: Nullable(Type.String({ description: 'The agent of a command or of a request for data.' })),
    state: oneOf(jobStates),
    cancelled: Type.Boolean({
      description:
        'Its caller has cancelled it: a command is `skipped`, a request for data or details `failed`, and an emulation `succeeded` when it has stopped.',
    }),
    detail: Nullable(Type.String({ description: 'Explanation of the state, if there is one.' })),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: Nullable(Type.String({ format: 'date-time' })),
    last_seq: Type.Integer({ description: 'Number of messages for its socket so far.' }),
    read_seq: Type.Integer({ description: 'Number of delivered messages.' }),
    parent: Nullable(Type.String({ description: 'Number of the job that this one is part of.' })),
    progress: Nullable(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'Number of parts in each state, for a job with parts.',
      }),
    ),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

export const JobDetails = Type.Object(
  {
    ...Job.properties,
    request: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What was requested, as the server has stored it. Null without `include=request`.',
      }),
    ),
  },
  { title: 'JobDetails' },
)
export type JobDetails = Static<typeof JobDetails>

/** One message of a job, read again. The socket delivers `seq`, `type`, `final` and `data` of the same message. */
export const JobResult = Type.Object(
  {
    seq: Type.Integer({ description: 'Its number in the job, from 1.' }),
    type: oneOf(['result', 'state'], '`result`: a part of the result. `state`: a change of the job.'),
    final: Type.Boolean({ description: 'Whether it is the last one.' }),
    at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it is deleted.' }),
    delivered: Type.Boolean({ description: 'Whether the socket has delivered it.' }),
    data: Type.Unknown({ description: 'As it was posted: an array, or an object for a state.' }),
    detail: Nullable(Type.String({ description: 'Why there is no data: it was not kept.' })),
  },
  { title: 'JobResult' },
)
export type JobResult = Static<typeof JobResult>

export const maxJobNumberLength = 128
export const JobNumber = Type.String({ minLength: 1, maxLength: maxJobNumberLength })

export const CallbackAccepted = Type.Object(
  {
    status: Type.Literal('success'),
    job_number: Type.String(),
    delivered: Type.Boolean({
      description: 'False: the result is kept for 24 hours until a WebSocket client connects.',
    }),
    detail: Type.String(),
  },
  { title: 'CallbackAccepted' },
)
export type CallbackAccepted = Static<typeof CallbackAccepted>

const callback = <
  const Id extends string,
  const Number extends number,
  const Path extends `/api/v1/${string}`,
  const Method extends `callbacks.${string}`,
>(
  id: Id,
  number: Number,
  path: Path,
  method: Method,
  summary: string,
  items: 'any' | 'objects',
) =>
  operation({
    id,
    number,
    method: 'POST',
    path,
    tag: 'Callbacks',
    summary,
    description:
      'For the subscriber of the service, for emulators (apps with the scope `callbacks:post`) and for administrators; other callers get 403. Stored, then delivered unchanged to the WebSocket client of the job. An unused job number creates a mailbox of the caller. A body above `MANC_BODY_LIMIT_BYTES` is accepted from the service and from apps only. With an `Idempotency-Key` a repeated post is delivered once. 429: results of the job, or of all jobs of its owner, have to be read first. 409 (emulator reports): the part is run by another emulator, or is over.',
    auth: 'bearer',
    idempotent: true,
    bodyLimitBytes: 16 * 1024 * 1024,
    query: Type.Object({ job_number: JobNumber }),
    body: Type.Array(items === 'any' ? Type.Unknown() : Type.Record(Type.String(), Type.Unknown())),
    response: CallbackAccepted,
    refusals: [401, 403, 404, 409, 413, 429, 503],
    sdk: method,
  })

export const jobOperations = {
  requestAllAgentsDetails: operation({
    id: 'requestAllAgentsDetails',
    number: 22,
    method: 'POST',
    path: '/api/v1/agent_details/request_all_agents_details',
    tag: 'Agent operations',
    summary: 'Request the details of all agents',
    description:
      'The result is lists of agents with `onboard` and `online`. An app gets agents that its permissions cover.',
    auth: 'bearer',
    idempotent: true,
    response: JobAccepted,
    refusals: [401, 403, 429, 503],
  }),
  requestAgentData: operation({
    id: 'requestAgentData',
    number: 23,
    method: 'POST',
    path: '/api/v1/agent_data/request_agent_data',
    tag: 'Agent operations',
    summary: "Request an agent's data of a period",
    description: 'The result is lists of `{"time", "field", "value"}` in chronological order.',
    auth: 'bearer',
    idempotent: true,
    query: Type.Object({ agent_id: Type.String(), start_time: Moment, end_time: Moment }),
    response: JobAccepted,
    refusals: [401, 403, 404, 429, 503],
  }),
  subscribeAgentData: operation({
    id: 'subscribeAgentData',
    method: 'POST',
    path: '/api/v1/agent_data/subscribe',
    tag: 'Agent operations',
    summary: 'Watch agents live',
    description:
      'The WebSocket of the job receives lists of `{"agent_id", "time", "values"}` as samples arrive, until it is closed. Samples are not stored for a reconnect: request the history of the gap. A client that reads too slowly receives only the newest sample of each agent.',
    auth: 'bearer',
    idempotent: true,
    query: Type.Object({
      agent_id: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 256,
        description: 'Can be repeated, for several agents.',
      }),
    }),
    response: JobAccepted,
    refusals: [401, 403, 404, 429, 503],
  }),
  postAgentData: callback(
    'postAgentData',
    30,
    '/api/v1/callback/agent_data',
    'callbacks.agentData',
    "Post an agent's data to a job",
    'any',
  ),
  postAgentDetails: callback(
    'postAgentDetails',
    31,
    '/api/v1/callback/agent_details',
    'callbacks.agentDetails',
    'Post details of agents to a job',
    'objects',
  ),
  postEmulator: callback(
    'postEmulator',
    32,
    '/api/v1/callback/emulator',
    'callbacks.emulator',
    'Post results of an emulation to a job',
    'objects',
  ),
  getJob: operation({
    id: 'getJob',
    method: 'GET',
    path: '/api/v1/jobs/{job_number}',
    tag: 'Jobs',
    summary: 'Read one of your jobs',
    auth: 'bearer',
    params: Type.Object({ job_number: Type.String() }),
    query: Type.Object({
      include: Type.Optional(
        oneOf(['request'], 'Also what was requested, which may be long: to request it again with changes.'),
      ),
    }),
    response: JobDetails,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'jobs.get',
  }),
  listJobResults: operation({
    id: 'listJobResults',
    method: 'GET',
    path: '/api/v1/jobs/{job_number}/results',
    tag: 'Jobs',
    summary: 'Read the results of one of your jobs again',
    description:
      'The messages of the job in order, also those that its socket has delivered. Reading them here delivers nothing and changes nothing. They are deleted `MANC_MAILBOX_SECONDS` after they were posted. Of delivered results the newest are kept: of `MANC_KEPT_RESULTS` jobs of a caller, up to `MANC_KEPT_RESULTS_BYTES`; older ones have `data: null` and a `detail`. A page ends after `limit` messages, or about 4 MiB. A `Link` header points to the next page.',
    auth: 'bearer',
    params: Type.Object({ job_number: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ default: 100, minimum: 1, maximum: 1000, description: 'Maximum number of messages.' }),
      ),
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only messages with a larger `seq`.',
        }),
      ),
    }),
    response: Type.Array(JobResult),
    refusals: [401, 403, 404, 429, 503],
  }),
  cancelJob: operation({
    id: 'cancelJob',
    method: 'POST',
    path: '/api/v1/jobs/{job_number}/cancel',
    tag: 'Jobs',
    summary: 'Cancel one of your jobs',
    description:
      'A command that its agent has not acknowledged is `skipped`; the agent may still carry out one that was sent. Of a command to many agents, those that were not acknowledged are cancelled, and the job ends when the others have. A request for data or details ends as `failed`, without the rest of its result. An emulation is stopped, and then ends as `succeeded`. Can be repeated. 409: the agent has the command, or the job has ended or has no end.',
    auth: 'bearer',
    params: Type.Object({ job_number: Type.String() }),
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'jobs.cancel',
  }),
  listJobs: operation({
    id: 'listJobs',
    method: 'GET',
    path: '/api/v1/jobs',
    tag: 'Jobs',
    summary: 'List your jobs, newest first',
    description: 'Parts of a job are listed only with `parent`.',
    auth: 'bearer',
    query: Type.Object({
      ...pageFields,
      parent: Type.Optional(Type.String({ description: 'Only the parts of this job.' })),
      kind: Type.Optional(Type.Array(oneOf(jobKinds), { description: 'Can be repeated.' })),
      state: Type.Optional(Type.Array(oneOf(jobStates), { description: 'Can be repeated.' })),
    }),
    response: Type.Array(Job),
    refusals: [401, 403, 429, 503],
    sdk: 'jobs.list',
  }),
}
