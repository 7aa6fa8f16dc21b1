import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf, storable } from './schema.ts'

/** What a run measures, in this order, after its warm-up. */
export const experimentFigures = [
  'mean_mbps',
  'p5_mbps',
  'asked_p5_mbps',
  'short_s',
  'outage_s',
  'outage_predictable_s',
  'blockages',
  'predictable',
  'handovers',
  'ping_pongs',
  'kwh',
  'lifi_part',
  'refused',
] as const
export type ExperimentFigure = (typeof experimentFigures)[number]

const descriptions: Record<ExperimentFigure, string> = {
  mean_mbps: 'Mean throughput of clients in Mbit/s.',
  p5_mbps: 'Throughput in Mbit/s that 5 % of the clients are below, as means over five minutes.',
  asked_p5_mbps: 'The same of what applications asked for over the links that clients had.',
  short_s: 'Seconds with less than 20 Mbit/s and less than the client asked for, per client and hour.',
  outage_s: 'Seconds without a connection, mean of all blockages of light. Null without a blockage.',
  outage_predictable_s: 'The same of blockages that follow a known period.',
  blockages: 'Number of blockages of light.',
  predictable: 'Number of those that follow a known period.',
  handovers: 'Moves to another access point, per client and hour.',
  ping_pongs: 'Returns to an access point within 10 s, per client and hour.',
  kwh: 'Energy of all access points in kWh, in a day like the measured time.',
  lifi_part: 'Part of the delivered bits that LiFi has carried, 0 to 1.',
  refused: 'Moves that clients have refused, per client and hour.',
}

const value = (description: string) => Nullable(Type.Number({ description }))

const figures = Object.fromEntries(
  experimentFigures.map((name) => [name, value(descriptions[name])]),
) as Record<ExperimentFigure, ReturnType<typeof value>>

/** Null where there was nothing to measure. */
export const ExperimentFigureValues = Type.Object(figures, { title: 'ExperimentFigures' })
export type ExperimentFigureValues = Static<typeof ExperimentFigureValues>

/** A series has at most so many points. */
export const maxSeriesPoints = 360

/** Of a series, beside `step_s`. */
export const experimentSeriesColumns = ['s', 'mean_mbps', 'p5_mbps', 'clients', 'handovers'] as const

const points = (description: string) => Type.Array(Type.Number(), { maxItems: maxSeriesPoints, description })

/** Columns of equal length. */
export const ExperimentSeries = Type.Object(
  {
    step_s: Type.Integer({ description: 'Simulated seconds that a point stands for.' }),
    s: points('Simulated second at the end of the step, from the start of the world.'),
    mean_mbps: points('Mean throughput of the clients in the step in Mbit/s, 0 without clients.'),
    p5_mbps: points('Throughput in Mbit/s that 5 % of the clients were below, 0 without clients.'),
    clients: points('Number of attached clients at the end of the step.'),
    handovers: points('Moves to another access point in the step.'),
  },
  { title: 'ExperimentSeries' },
)
export type ExperimentSeries = Static<typeof ExperimentSeries>

export const ExperimentRunResult = Type.Object(
  { figures: ExperimentFigureValues, series: ExperimentSeries },
  { title: 'ExperimentRunResult' },
)
export type ExperimentRunResult = Static<typeof ExperimentRunResult>

/**
 * How long an emulator may execute a run without a report. Reports are sent every three seconds, so that a run of an
 * emulator that was killed is executed again soon.
 */
export const experimentLeaseS = 15

export const ExperimentRunReport = Type.Object(
  {
    run_id: Type.String({ format: 'uuid' }),
    emulator: Type.String({ format: 'uuid', description: 'Id of the emulator process.' }),
    state: oneOf(
      ['started', 'running', 'finished', 'failed'],
      '`started` takes the lease on the run, `running` renews it.',
    ),
    redelivered: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'With `started`: the broker has delivered the run before, to an emulator that has disconnected. Its lease is taken over.',
      }),
    ),
    progress_pct: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: 100 })),
    detail: Type.Optional(
      Type.String({ maxLength: 500, pattern: storable, description: 'With `failed`: why.' }),
    ),
    result: Type.Optional(ExperimentRunResult),
  },
  { title: 'ExperimentRunReport' },
)
export type ExperimentRunReport = Static<typeof ExperimentRunReport>

export const experimentRunOperations = {
  postExperimentRun: operation({
    id: 'postExperimentRun',
    method: 'POST',
    path: '/api/v1/callback/experiment_run',
    tag: 'Experiments',
    summary: 'Report the progress or the result of a run of an experiment',
    description:
      'For emulators. The same result can be reported again. 409: another emulator has the lease, or the run has ended; stop it.',
    auth: 'bearer',
    body: ExperimentRunReport,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'callbacks.experimentRun',
  }),
}
