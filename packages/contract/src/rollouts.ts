import Type, { type Static } from 'typebox'
import { Area } from './commands.ts'
import { agentStates, EmulatedAgents, technologies } from './fleet.ts'
import { healths } from './health.ts'
import { operation } from './operation.ts'
import { Done, FreeForm, Nullable, oneOf, pageFields, storable } from './schema.ts'

/** `paused` by a caller, `stopped` because of failures: both can be resumed. */
export const rolloutStates = ['running', 'paused', 'stopped', 'completed', 'undoing', 'undone'] as const
export type RolloutState = (typeof rolloutStates)[number]

/** `unchanged`: it had these values before. `skipped`: it was not undone; its detail has the reason. */
export const rolloutAgentStates = ['pending', 'applied', 'unchanged', 'failed', 'undone', 'skipped'] as const
export type RolloutAgentState = (typeof rolloutAgentStates)[number]

const maxAgents = 10_000

const some = <const T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Array(oneOf(values), { minItems: 1, maxItems: values.length }))

/** Which access points: those that match every given criterion. */
export const RolloutSelection = Type.Object(
  {
    agents: Type.Optional(
      Type.Array(Type.String({ pattern: storable }), {
        minItems: 1,
        maxItems: maxAgents,
        description: 'Ids of agents.',
      }),
    ),
    technology: some(technologies),
    state: some(agentStates),
    health: some(healths),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: storable,
        description: 'Part of the id or name; case is ignored.',
      }),
    ),
    area: Type.Optional(Area),
    emulated: Type.Optional(EmulatedAgents('The default is `all` with `agents`, otherwise `own`.')),
    change: FreeForm({
      'x-max-bytes': 16_384,
      description:
        'Members to set in each configuration, as a JSON merge patch (RFC 7396): `null` removes a member, and other members stay.',
    }),
  },
  { title: 'RolloutSelection' },
)
export type RolloutSelection = Static<typeof RolloutSelection>

export const RolloutCreate = Type.Object(
  {
    ...RolloutSelection.properties,
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: storable })),
    wait_s: Type.Optional(
      Type.Integer({
        default: 60,
        minimum: 0,
        maximum: 86_400,
        description: 'Seconds to observe the access points of a stage before the next one begins.',
      }),
    ),
    max_failures: Type.Optional(
      Type.Integer({
        default: 0,
        minimum: 0,
        maximum: maxAgents,
        description: 'The rollout stops when more access points than this have failed.',
      }),
    ),
  },
  { title: 'RolloutCreate' },
)
export type RolloutCreate = Static<typeof RolloutCreate>

const counts = Object.fromEntries(rolloutAgentStates.map((state) => [state, Type.Integer()])) as Record<
  RolloutAgentState,
  ReturnType<typeof Type.Integer>
>

export const Rollout = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    title: Type.String(),
    state: oneOf(rolloutStates),
    detail: Nullable(Type.String({ description: 'Why it has paused or stopped.' })),
    change: Type.Record(Type.String(), Type.Unknown()),
    agents: Type.Integer({ description: 'Number of access points.' }),
    stage: Type.Integer({ description: '1: one access point. 2: 10 %. 3: all.' }),
    next_at: Nullable(
      Type.String({ format: 'date-time', description: 'End of the observation of this stage.' }),
    ),
    wait_s: Type.Integer(),
    max_failures: Type.Integer(),
    progress: Type.Object(counts, {
      title: 'RolloutProgress',
      description: 'Number of access points in each state.',
    }),
    owner: Type.String({
      description: 'The user who started, resumed or undid it last. It is done in the name of this user.',
    }),
    created_by: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    changed_at: Type.String({ format: 'date-time', description: 'When it got its state.' }),
  },
  { title: 'Rollout' },
)
export type Rollout = Static<typeof Rollout>

export const RolloutAgent = Type.Object(
  {
    ap_id: Type.String(),
    stage: Type.Integer(),
    state: oneOf(rolloutAgentStates),
    detail: Nullable(Type.String({ description: 'Why it has failed or was skipped.' })),
    version: Nullable(Type.Integer({ description: 'The version of its configuration that was written.' })),
    at: Nullable(Type.String({ format: 'date-time', description: 'When it got its state.' })),
  },
  { title: 'RolloutAgent' },
)
export type RolloutAgent = Static<typeof RolloutAgent>

const Members = Type.Record(Type.String(), Type.Unknown())

export const RolloutPreview = Type.Object(
  {
    agents: Type.Integer({ description: 'Number of access points that match.' }),
    unchanged: Type.Integer({ description: 'Number of those that have these values already.' }),
    unknown: Type.Integer({
      description: 'Number of ids in `agents` without an access point that matches. They are ignored.',
    }),
    differences: Type.Array(
      Type.Object({ ap_id: Type.String(), before: Members, after: Members }, { title: 'RolloutDifference' }),
      { description: 'The members that change, of the first 500 access points, at most 1 MiB.' },
    ),
  },
  { title: 'RolloutPreview' },
)
export type RolloutPreview = Static<typeof RolloutPreview>

const RolloutPath = Type.Object({ id: Type.String({ maxLength: 64 }) })

const action = <
  const Id extends string,
  const Path extends `/api/v1/${string}`,
  const Method extends `rollouts.${string}`,
>(
  id: Id,
  path: Path,
  method: Method,
  summary: string,
  description: string,
) =>
  operation({
    id,
    method: 'POST',
    path,
    tag: 'Rollouts',
    summary,
    description,
    auth: 'bearer',
    params: RolloutPath,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: method,
  })

export const rolloutOperations = {
  previewRollout: operation({
    id: 'previewRollout',
    method: 'POST',
    path: '/api/v1/rollouts/preview',
    tag: 'Rollouts',
    summary: 'Read what a change would alter, for each access point',
    description: `Changes nothing. At least one criterion besides \`emulated\`; at most ${maxAgents} access points may match.`,
    auth: 'bearer',
    body: RolloutSelection,
    response: RolloutPreview,
    refusals: [400, 401, 403, 404, 429, 503],
    sdk: 'rollouts.preview',
  }),
  createRollout: operation({
    id: 'createRollout',
    method: 'POST',
    path: '/api/v1/rollouts',
    tag: 'Rollouts',
    summary: 'Change the configuration of many access points in stages',
    description:
      'First of one access point, then of 10 %, then of all; those that are online come first. At the end of the observation of a stage, one that was online and not bad when it was changed, and is now offline or has bad health, has failed, as has one that could not be changed. With more than `max_failures` the rollout stops. It changes the record of the controller: an agent that sends its own configuration when it connects replaces it. 409: the caller has `MANC_ROLLOUTS` rollouts in progress.',
    auth: 'bearer',
    body: RolloutCreate,
    response: Rollout,
    refusals: [400, 401, 403, 404, 409, 429, 503],
    sdk: 'rollouts.create',
  }),
  listRollouts: operation({
    id: 'listRollouts',
    method: 'GET',
    path: '/api/v1/rollouts',
    tag: 'Rollouts',
    summary: 'List rollouts, newest first',
    description:
      'Of all users. A `Link` header points to the next page. They are kept for `MANC_ROLLOUT_DAYS` after they have ended, paused or stopped, and at most `MANC_ROLLOUTS_KEPT` of each user.',
    auth: 'bearer',
    query: Type.Object({ ...pageFields }),
    response: Type.Array(Rollout),
    refusals: [401, 403, 429, 503],
    sdk: 'rollouts.list',
    cli: { columns: ['id', 'title', 'state', 'agents', 'stage', 'created_by', 'created_at'] },
  }),
  getRollout: operation({
    id: 'getRollout',
    method: 'GET',
    path: '/api/v1/rollouts/{id}',
    tag: 'Rollouts',
    summary: 'Read one rollout',
    auth: 'bearer',
    params: RolloutPath,
    response: Rollout,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'rollouts.get',
  }),
  listRolloutAgents: operation({
    id: 'listRolloutAgents',
    method: 'GET',
    path: '/api/v1/rollouts/{id}/agents',
    tag: 'Rollouts',
    summary: 'List the access points of a rollout with their states',
    description: 'By id. A `Link` header points to the next page.',
    auth: 'bearer',
    params: RolloutPath,
    query: Type.Object({
      ...pageFields,
      state: Type.Optional(oneOf(rolloutAgentStates, 'Only those in this state.')),
    }),
    response: Type.Array(RolloutAgent),
    refusals: [401, 403, 404, 429, 503],
    sdk: 'rollouts.agents',
  }),
  pauseRollout: action(
    'pauseRollout',
    '/api/v1/rollouts/{id}/pause',
    'rollouts.pause',
    'Pause a rollout',
    'What was changed stays changed. It can be resumed or undone. 409: it is not running.',
  ),
  resumeRollout: action(
    'resumeRollout',
    '/api/v1/rollouts/{id}/resume',
    'rollouts.resume',
    'Continue a rollout that has paused or stopped',
    'In the name of the caller. Failures until now no longer count, and are not tried again. 409: it has not paused or stopped, or the caller has `MANC_ROLLOUTS` rollouts in progress.',
  ),
  undoRollout: action(
    'undoRollout',
    '/api/v1/rollouts/{id}/undo',
    'rollouts.undo',
    'Undo a rollout',
    'In the name of the caller. Each access point gets back the version of its configuration before the rollout, if the version of the rollout is still the newest; otherwise it is skipped. Access points that were not changed yet stay as they are. 409: it is undone already, or the caller has `MANC_ROLLOUTS` rollouts in progress.',
  ),
}
