import Type, { type Static } from 'typebox'
import { JobAccepted } from './jobs.ts'
import { operation } from './operation.ts'
import { oneOf } from './schema.ts'

/**
 * What happens in an emulation, as parts of its length:
 *
 * - `daily`: nothing, but hours and weekdays have their rhythm.
 * - `steady`: nothing. The same share of devices is there at any hour.
 * - `rush_hour`: people and demand swell to a bell about the middle.
 * - `lifi_beam_blocked`: again and again something stands in the light of LiFi; its clients go to 5G and WiFi.
 * - `backhaul_cut`: for a stretch in the middle the radio is fine and leads nowhere.
 * - `access_point_failure`: at some point, of its own for each access point, it goes dark for a while.
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

const positive = (description: string, most?: number) =>
  Type.Integer({ exclusiveMinimum: 0, ...(most !== undefined && { maximum: most }), description })

export const EmulatorSpec = Type.Object(
  {
    access_point_type: Type.String({ pattern: '^(5G|WiFi|LiFi)$' }),
    num_access_points: positive('Access points of this kind.', 1000),
    locations: Type.Array(Type.String(), {
      minItems: 1,
      description:
        'Where they are, in turns: decimal degrees, degrees with minutes and seconds, a `geo:` address, or the name of a place (`Bristol`, `Bristol, GB`).',
    }),
    num_devices: positive('Client devices around each access point.'),
    duration: positive('Seconds, from the request on.'),
    scenario: Type.Optional(oneOf(scenarios)),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The same seed gives the same places and the same behaviour. Without one it is the job.',
      }),
    ),
    spread_m: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100_000,
        description:
          'How far access points that share a location are from it; by default what suits their kind.',
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
    agents: Type.Array(Type.String(), { description: 'The ids of the agents that were made.' }),
  },
  { title: 'EmulatorAccepted' },
)
export type EmulatorAccepted = Static<typeof EmulatorAccepted>

export const emulatorOperations = {
  spinUpEmulator: operation({
    id: 'spinUpEmulator',
    number: 25,
    method: 'POST',
    path: '/api/v1/emulator/spinup',
    tag: 'Emulator',
    summary: 'Emulate a network',
    description:
      'Makes agents that log in, onboard, send telemetry and carry out commands as real ones do. The socket of the job tells how many are live, and in the end how it went. They stop after `duration` and are removed an hour later; what they sent stays.',
    auth: 'bearer',
    idempotent: true,
    body: EmulatorSpinupRequest,
    response: EmulatorAccepted,
    refusals: [401, 403, 429, 503],
  }),
}
