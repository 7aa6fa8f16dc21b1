import Type, { type Static } from 'typebox'
import { JobAccepted, JobNumber } from './jobs.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf, pageFields, storable } from './schema.ts'

/**
 * Events of an emulation, relative to its duration:
 *
 * - `daily`: no events; load follows the hour and the weekday.
 * - `steady`: no events; the same share of devices is present at any hour.
 * - `rush_hour`: devices and demand follow a normal distribution around the middle.
 * - `lifi_beam_blocked`: the LiFi beam is blocked repeatedly; its clients move to 5G and WiFi.
 * - `backhaul_cut`: for a period in the middle the radio works, but the backhaul does not.
 * - `access_point_failure`: each access point fails for a while, at a random time.
 */
export const scenarios = [
  'daily',
  'steady',
  'rush_hour',
  'lifi_beam_blocked',
  'backhaul_cut',
  'access_point_failure',
] as const
export type Scenario = (typeof scenarios)[number]

/** How much emulated clients move. */
export const mobilities = ['sitting', 'mixed', 'walking'] as const
export type Mobility = (typeof mobilities)[number]

/** What emulated clients do. */
export const trafficKinds = ['web', 'video', 'call', 'upload'] as const
export type TrafficKind = (typeof trafficKinds)[number]

const weight = Type.Optional(Type.Number({ minimum: 0, maximum: 1000 }))

const positive = (description: string, maximum?: number) =>
  Type.Integer({ exclusiveMinimum: 0, ...(maximum !== undefined && { maximum }), description })

export const EmulatorSpec = Type.Object(
  {
    access_point_type: Type.String({ pattern: '^(5G|WiFi|LiFi)$' }),
    num_access_points: positive('Number of access points of this type.', 1000),
    locations: Type.Array(Type.String(), {
      minItems: 1,
      description:
        'Assigned to the access points in turn: decimal degrees, degrees with minutes and seconds, a `geo:` URI, or the name of a place (`Bristol`, `Bristol, GB`).',
    }),
    num_devices: positive(
      'Number of client devices around each access point. They attach to any access point of the emulation that they can reach.',
    ),
    duration: positive(
      'Seconds from the time of the request. A longer duration than the maximum of the caller is limited to it, with a `detail` in the response.',
    ),
    scenario: Type.Optional(oneOf(scenarios)),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: storable,
        description: 'Names of the access points are this text and a number. Without it they have no names.',
      }),
    ),
    place: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: storable,
        description: '`place` in the configurations of the access points.',
      }),
    ),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'The same seed gives the same places and the same behaviour. The default is the job number.',
      }),
    ),
    spread_m: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100_000,
        description:
          'Approximate distance between access points that share a location, in metres. The default depends on the technology.',
      }),
    ),
    mobility: Type.Optional(
      oneOf(
        mobilities,
        'How much its clients move: `sitting` stays near its access point, `walking` mostly goes to others nearby. The default is `mixed`.',
      ),
    ),
    client_mix: Type.Optional(
      Type.Object(
        { web: weight, video: weight, call: weight, upload: weight },
        {
          description:
            'Weights of the kinds of traffic of its clients. The default is 0.5 web, 0.3 video, 0.1 call, 0.1 upload.',
        },
      ),
    ),
    room_m: Type.Optional(
      Type.Number({
        minimum: 2,
        maximum: 200,
        description:
          'Side of the square room of LiFi access points, which light does not leave. The default is 8 m.',
      }),
    ),
    floors: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Access points are assigned to so many floors in turn. The default is 1.',
      }),
    ),
  },
  { title: 'EmulatorSpec' },
)
export type EmulatorSpec = Static<typeof EmulatorSpec>

export const EmulatorSpinupRequest = Type.Object(
  { emulators: Type.Array(EmulatorSpec, { minItems: 1 }) },
  { title: 'EmulatorSpinupRequest' },
)
export type EmulatorSpinupRequest = Static<typeof EmulatorSpinupRequest>

export const EmulatorAccepted = Type.Object(
  {
    status: Type.Literal('success'),
    ...JobAccepted.properties,
    agents: Type.Array(Type.String(), { description: 'Ids of the created agents.' }),
    ends_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the last of its agents stops. Missing if the emulation was removed already.',
      }),
    ),
    detail: Type.Optional(
      Type.String({ description: 'Present if a `duration` was limited to the maximum of the caller.' }),
    ),
  },
  { title: 'EmulatorAccepted' },
)
export type EmulatorAccepted = Static<typeof EmulatorAccepted>

const moment = (description: string) => Type.String({ format: 'date-time', description })

/** An emulation until its agents are removed. */
export const EmulationRecord = Type.Object(
  {
    job_number: Type.String(),
    owner: Nullable(
      Type.String({ description: 'Name of the user or app that started it. Null if it was deleted.' }),
    ),
    agents: Type.Integer({ description: 'Number of its agents. They count for the limits of the owner.' }),
    state: oneOf(['running', 'ended'], 'Its agents exist in both states, until `removed_at`.'),
    started_at: moment('Time of the request.'),
    ends_at: moment('When the last of its agents stops.'),
    removed_at: moment('When its agents are removed.'),
  },
  { title: 'Emulation' },
)
export type EmulationRecord = Static<typeof EmulationRecord>

export const emulatorOperations = {
  spinUpEmulator: operation({
    id: 'spinUpEmulator',
    number: 25,
    method: 'POST',
    path: '/api/v1/emulator/spinup',
    tag: 'Emulator',
    summary: 'Emulate a network',
    description:
      'Creates agents that log in, onboard, send telemetry and execute commands like real ones. The socket of the job reports the number of live agents, and finally a summary. The agents stop after `duration` and are removed an hour later; their telemetry is kept. The number of agents of a caller until they are removed, the duration and the emulations in an hour are limited, for standard users more than for others.',
    auth: 'bearer',
    idempotent: true,
    body: EmulatorSpinupRequest,
    response: EmulatorAccepted,
    refusals: [401, 403, 429, 503],
  }),
  listEmulations: operation({
    id: 'listEmulations',
    method: 'GET',
    path: '/api/v1/emulations',
    tag: 'Emulator',
    summary: 'List your emulations, newest first',
    description:
      'Emulations whose agents exist. An administrator gets those of all callers. A `Link` header points to the next page.',
    auth: 'bearer',
    query: Type.Object({ ...pageFields }),
    response: Type.Array(EmulationRecord),
    refusals: [401, 403, 429, 503],
    sdk: 'emulations.list',
    cli: { columns: ['job_number', 'owner', 'agents', 'state', 'started_at', 'ends_at'] },
  }),
  stopEmulation: operation({
    id: 'stopEmulation',
    method: 'DELETE',
    path: '/api/v1/emulations/{job_number}',
    tag: 'Emulator',
    summary: 'Stop an emulation',
    description:
      'Its agents stop within seconds and are removed; their telemetry is kept. The job succeeds, with a summary and a detail that names the caller. If the emulation has ended already, its agents are removed now. For the owner and for administrators. Can be repeated.',
    auth: 'bearer',
    params: Type.Object({ job_number: JobNumber }),
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'emulations.stop',
  }),
}
