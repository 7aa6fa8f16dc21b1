import Type, { type Static } from 'typebox'
import { mobilities, scenarios } from './emulator.ts'
import { ExperimentFigureValues, ExperimentSeries, experimentFigures } from './experiment-runs.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf, pageFields, storable } from './schema.ts'
import { SteeringPolicy, steeringPolicyNames } from './steering-policies.ts'

/** Worlds that are known by name (docs/research.md). */
export const experimentWorldNames = ['campus_day', 'lecture_rush', 'factory_hall', 'stadium'] as const
export type ExperimentWorldName = (typeof experimentWorldNames)[number]

/** `what_if`: of the network, with and without a policy or a command. */
export const experimentKinds = ['comparison', 'what_if'] as const
export type ExperimentKind = (typeof experimentKinds)[number]

/** `failed`: some of its runs have no result. */
export const experimentStates = ['waiting', 'running', 'finished', 'failed', 'cancelled'] as const
export type ExperimentState = (typeof experimentStates)[number]

export const experimentRunStates = ['waiting', 'running', 'finished', 'failed', 'cancelled'] as const
export type ExperimentRunState = (typeof experimentRunStates)[number]

/** Of one run. */
export const experimentLimits = {
  accessPoints: 200,
  clients: 2000,
  /** Clients multiplied by seconds, which bounds the time of one core. */
  clientSeconds: 10_000_000,
  minSeconds: 300,
  maxSeconds: 14_400,
  repetitions: 30,
  policies: 8,
} as const

const weight = Type.Optional(Type.Number({ minimum: 0, maximum: 1000 }))
const metres = (description: string) =>
  Type.Optional(Type.Number({ minimum: -5000, maximum: 5000, description }))

/** Access points of one technology, on a grid. */
export const ExperimentGroup = Type.Object(
  {
    technology: oneOf(['5G', 'WiFi', 'LiFi']),
    count: Type.Integer({
      minimum: 1,
      maximum: experimentLimits.accessPoints,
      description: 'Number of access points.',
    }),
    clients: Type.Integer({
      minimum: 0,
      maximum: 500,
      description: 'Number of client devices around each of them.',
    }),
    spacing_m: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 2000,
        description:
          'Distance between neighbours. The default is 300 m for 5G, 18 m for WiFi and 6 m for LiFi.',
      }),
    ),
    east_m: metres('The middle of the grid, east of the middle of the world. The default is 0.'),
    north_m: metres('The same for north.'),
    room_m: Type.Optional(
      Type.Number({
        minimum: 2,
        maximum: 200,
        description:
          'Side of the square room of LiFi access points, which light does not leave. The default is 8 m.',
      }),
    ),
    mobility: Type.Optional(oneOf(mobilities, 'How much their clients move. The default is `mixed`.')),
  },
  { title: 'ExperimentGroup' },
)
export type ExperimentGroup = Static<typeof ExperimentGroup>

export const ExperimentWorld = Type.Object(
  {
    name: Type.Optional(oneOf(experimentWorldNames, 'A world that is known by name.')),
    access_points: Type.Optional(
      Type.Array(ExperimentGroup, {
        minItems: 1,
        maxItems: 20,
        description: `Instead of a name. At most ${experimentLimits.accessPoints} access points and ${experimentLimits.clients} clients.`,
      }),
    ),
    scenario: Type.Optional(
      oneOf(scenarios, 'Of a world with `access_points`: as in an emulation. The default is `steady`.'),
    ),
    client_mix: Type.Optional(
      Type.Object(
        { web: weight, video: weight, call: weight, upload: weight },
        {
          description:
            'Of a world with `access_points`: weights of the kinds of traffic. The default is 0.6 video and 0.4 upload.',
        },
      ),
    ),
  },
  { title: 'ExperimentWorld' },
)
export type ExperimentWorld = Static<typeof ExperimentWorld>

/** A world in a response: also one that was built from the network. */
const ShownWorld = Type.Object(
  {
    ...ExperimentWorld.properties,
    network: Type.Optional(
      Type.Object(
        {
          access_points: Type.Integer({ description: 'Access points in the world.' }),
          left_out: Type.Integer({
            description:
              'Selected ones that are not: unknown, offline, without a position, or of another technology.',
          }),
          clients: Type.Integer({ description: 'Clients that were attached to them.' }),
          measured_clients: Type.Optional(
            Type.Integer({
              description:
                'Those of which is known what they hear. With few of them, predictions are much less accurate.',
            }),
          ),
          at: Type.String({ format: 'date-time' }),
        },
        { description: 'Built from the network as it was at this time.' },
      ),
    ),
  },
  { title: 'ShownExperimentWorld' },
)
export type ShownExperimentWorld = Static<typeof ShownWorld>

export const ExperimentCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: storable }),
    world: ExperimentWorld,
    policies: Type.Optional(
      Type.Array(oneOf(steeringPolicyNames), {
        default: [],
        maxItems: experimentLimits.policies,
        description: `Policies that are known by name. The first policy of all is what the others are compared with.`,
      }),
    ),
    documents: Type.Optional(
      Type.Array(SteeringPolicy, {
        default: [],
        maxItems: experimentLimits.policies,
        description: `Policies as documents, after those of \`policies\`. At most ${experimentLimits.policies} in all, with different names.`,
      }),
    ),
    seed: Type.Optional(
      Type.String({
        default: 'run',
        minLength: 1,
        maxLength: 64,
        pattern: storable,
        description: 'The seeds of the repetitions are this text with `-1`, `-2` and so on.',
      }),
    ),
    repetitions: Type.Optional(
      Type.Integer({
        default: 5,
        minimum: 1,
        maximum: experimentLimits.repetitions,
        description: 'Number of seeds. Each policy runs once with each of them.',
      }),
    ),
    duration_s: Type.Optional(
      Type.Integer({
        minimum: experimentLimits.minSeconds,
        maximum: experimentLimits.maxSeconds,
        description: `Simulated seconds of a run. The default is 1800, of a named world its own time, which a smaller number shortens. At most ${experimentLimits.clientSeconds} clients times seconds.`,
      }),
    ),
  },
  { title: 'ExperimentCreate' },
)
export type ExperimentCreate = Static<typeof ExperimentCreate>

const number = (description: string) => Nullable(Type.Number({ description }))

const FigureSummary = Type.Object(
  {
    mean: number('Over the seeds. Null without a finished run.'),
    interval: number(
      'Half of the 95 % confidence interval of the mean, by the t distribution of Student. Null with fewer than two seeds.',
    ),
    median: number('Over the seeds: of an even number the mean of the two in the middle.'),
    p5: number(
      'The value of a seed, without interpolation: 5 % of the seeds are below. With fewer than 20 the lowest.',
    ),
    p95: number('The same for 95 %. With at most 20 seeds the highest.'),
    difference: number(
      'Mean of the differences from the first policy, seed by seed, of seeds in which both have a result. Null for the first policy.',
    ),
    difference_interval: number(
      'Half of the 95 % confidence interval of that mean. Each figure has its own: there is no correction for the number of comparisons.',
    ),
  },
  { title: 'ExperimentFigureSummary' },
)
export type ExperimentFigureSummary = Static<typeof FigureSummary>

const summaries = Object.fromEntries(experimentFigures.map((name) => [name, FigureSummary])) as Record<
  (typeof experimentFigures)[number],
  typeof FigureSummary
>

export const ExperimentResult = Type.Object(
  {
    policy: Type.String(),
    runs: Type.Integer({ description: 'Number of finished runs.' }),
    figures: Type.Object(summaries, { title: 'ExperimentFigureSummaries' }),
  },
  { title: 'ExperimentResult' },
)
export type ExperimentResult = Static<typeof ExperimentResult>

const moment = (description: string) => Nullable(Type.String({ format: 'date-time', description }))

export const Experiment = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    kind: oneOf(experimentKinds),
    state: oneOf(experimentStates, '`failed`: some of its runs have no result.'),
    world: ShownWorld,
    command: Nullable(
      Type.Object(
        { ap_id: Type.String(), command: Type.String() },
        { description: 'Of a what-if: what the policy `command` executes after two minutes.' },
      ),
    ),
    policies: Type.Array(Type.String(), { description: 'Names of all policies, in their order.' }),
    documents: Type.Array(SteeringPolicy),
    seed: Type.String(),
    repetitions: Type.Integer(),
    duration_s: Nullable(Type.Integer({ description: 'Null: the time of the named world.' })),
    runs: Type.Integer({ description: 'Number of runs.' }),
    finished: Type.Integer({ description: 'Number of runs with a result.' }),
    failed: Type.Integer({ description: 'Number of runs that have failed.' }),
    owner: Type.String({ description: 'Name of the user or app that created it.' }),
    owner_kind: oneOf(['app', 'user']),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: moment('When its last run ended, or when it was cancelled.'),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Runs that have no result by then fail: `MANC_EXPERIMENT_HOURS` after the request.',
    }),
  },
  { title: 'Experiment' },
)
export type Experiment = Static<typeof Experiment>

const runFields = {
  run: Type.Integer({ description: 'Its number in the experiment, from 1 on.' }),
  policy: Type.String(),
  seed: Type.String(),
  state: oneOf(experimentRunStates),
  progress_pct: Type.Integer({ description: 'Of the simulated time.' }),
  attempts: Type.Integer({ description: 'How often an emulator has begun it.' }),
  detail: Nullable(Type.String({ description: 'Why it has failed.' })),
  figures: Nullable(ExperimentFigureValues),
}

export const ExperimentRun = Type.Object(runFields, { title: 'ExperimentRun' })
export type ExperimentRun = Static<typeof ExperimentRun>

export const ExperimentRunDetails = Type.Object(
  { ...runFields, series: Nullable(ExperimentSeries) },
  { title: 'ExperimentRunDetails' },
)
export type ExperimentRunDetails = Static<typeof ExperimentRunDetails>

export const ExperimentDetails = Type.Object(
  {
    ...Experiment.properties,
    results: Type.Array(ExperimentResult, {
      description: 'One for each policy, of the runs that have finished.',
    }),
    run_list: Type.Array(ExperimentRun, { description: 'All runs, by their numbers.' }),
  },
  { title: 'ExperimentDetails' },
)
export type ExperimentDetails = Static<typeof ExperimentDetails>

const ExperimentPath = Type.Object({ id: Type.String({ maxLength: 64 }) })
const visibility = 'An app gets the experiments that it has created; operators get all.'

export const experimentOperations = {
  createExperiment: operation({
    id: 'createExperiment',
    method: 'POST',
    path: '/api/v1/experiments',
    tag: 'Experiments',
    summary: 'Compare policies in a simulated world',
    description:
      'Emulator processes execute one run for each policy and seed, in accelerated time. A run with the same world, seed and policy has the same result again. 409: the caller has `MANC_EXPERIMENTS` experiments in progress, or `MANC_EXPERIMENTS_KEPT` stored. With an `Idempotency-Key` a repeated request creates no second experiment.',
    auth: 'bearer',
    idempotent: true,
    body: ExperimentCreate,
    response: Experiment,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'experiments.create',
  }),
  listExperiments: operation({
    id: 'listExperiments',
    method: 'GET',
    path: '/api/v1/experiments',
    tag: 'Experiments',
    summary: 'List experiments, newest first',
    description: `Without their results. A \`Link\` header points to the next page. They are kept for \`MANC_EXPERIMENT_DAYS\`. ${visibility}`,
    auth: 'bearer',
    query: Type.Object({
      ...pageFields,
      owner: Type.Optional(Type.String({ maxLength: 320, description: 'Only those of this app or user.' })),
      state: Type.Optional(
        Type.Array(oneOf(experimentStates), { description: 'Only these states. Can be repeated.' }),
      ),
    }),
    response: Type.Array(Experiment),
    refusals: [401, 403, 429, 503],
    sdk: 'experiments.list',
    cli: { columns: ['id', 'name', 'state', 'runs', 'finished', 'failed', 'owner', 'created_at'] },
  }),
  getExperiment: operation({
    id: 'getExperiment',
    method: 'GET',
    path: '/api/v1/experiments/{id}',
    tag: 'Experiments',
    summary: 'Read an experiment with its results',
    description: `Also while it runs: of the runs that have finished. ${visibility}`,
    auth: 'bearer',
    params: ExperimentPath,
    response: ExperimentDetails,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'experiments.get',
  }),
  getExperimentRun: operation({
    id: 'getExperimentRun',
    method: 'GET',
    path: '/api/v1/experiments/{id}/runs/{run}',
    tag: 'Experiments',
    summary: 'Read a run of an experiment with its time series',
    description: visibility,
    auth: 'bearer',
    params: Type.Object({
      ...ExperimentPath.properties,
      run: Type.Integer({ minimum: 1, maximum: 100_000 }),
    }),
    response: ExperimentRunDetails,
    refusals: [401, 403, 404, 429, 503],
  }),
  exportExperiment: operation({
    id: 'exportExperiment',
    method: 'GET',
    path: '/api/v1/experiments/{id}/export',
    tag: 'Experiments',
    summary: 'Export the results of an experiment as CSV',
    description: `One line for each run, or with \`what=series\` one for each point in time of each run. ${visibility}`,
    auth: 'bearer',
    params: ExperimentPath,
    query: Type.Object({ what: Type.Optional(oneOf(['runs', 'series'], 'The default is `runs`.')) }),
    response: Type.String({ description: 'CSV (RFC 4180) with a header.' }),
    isCsv: true,
    refusals: [401, 403, 404, 429, 503],
  }),
  cancelExperiment: operation({
    id: 'cancelExperiment',
    method: 'POST',
    path: '/api/v1/experiments/{id}/cancel',
    tag: 'Experiments',
    summary: 'Cancel an experiment',
    description:
      'Runs that have finished keep their results. For the owner and for administrators. One that has ended stays as it is.',
    auth: 'bearer',
    params: ExperimentPath,
    response: Experiment,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'experiments.cancel',
  }),
  deleteExperiment: operation({
    id: 'deleteExperiment',
    method: 'DELETE',
    path: '/api/v1/experiments/{id}',
    tag: 'Experiments',
    summary: 'Delete an experiment with its results',
    description: 'One in progress is cancelled. For the owner and for administrators.',
    auth: 'bearer',
    params: ExperimentPath,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'experiments.remove',
  }),
}
