import Type, { type Static } from 'typebox'

/**
 * Policies that are known by name: `none` leaves clients alone, `strongest`, `usteer` and `dawn` steer them as others do, and
 * the others are the files of `packages/advisor/policies`.
 */
export const steeringPolicyNames = [
  'none',
  'strongest',
  'usteer',
  'dawn',
  'best-experience',
  'load-balancing',
  'lifi-first',
  'energy-first',
] as const
export type SteeringPolicyName = (typeof steeringPolicyNames)[number]

const factor = (description: string) => Type.Number({ minimum: 0.1, maximum: 10, description })

export const SteeringPreference = Type.Object(
  { '5G': factor('5G'), WiFi: factor('WiFi'), LiFi: factor('LiFi') },
  { description: 'By how much throughput over a technology counts more than its figure.' },
)

export const SteeringGuards = Type.Object({
  stay_s: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 600, description: 'A client stays at least so long.' }),
  ),
  moves_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60, description: 'Handover budget of a client.' }),
  ),
  refused_s: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Rest after a refusal of a client.' }),
  ),
  min_gain: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 10,
      description: 'Hysteresis: a move must improve the throughput of the client by this part.',
    }),
  ),
  max_sleep_load: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Those that stay awake must not have more load afterwards.',
    }),
  ),
})

/** A policy that moves clients and puts access points to sleep, as a document. */
export const SteeringPolicy = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
    about: Type.String({ maxLength: 200 }),
    objective: Type.Union([Type.Literal('throughput'), Type.Literal('load')], {
      description: 'What moves of clients improve: throughput of clients, or the balance of loads.',
    }),
    fairness: Type.Number({
      minimum: 0,
      maximum: 4,
      description:
        'Alpha of alpha-fairness (Mo and Walrand 2000): 0 is the sum, 1 proportional, 2 and more favour the worst-off.',
    }),
    preference: SteeringPreference,
    outage_aversion: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'How much worse a second without connection is than a second without this throughput.',
    }),
    anticipate_blockages: Type.Boolean({
      description: 'Move clients away from LiFi before a blockage that follows a known period.',
    }),
    sleep: Type.Boolean({ description: 'Put access points to sleep while others can carry their clients.' }),
    guards: Type.Optional(SteeringGuards),
  },
  { title: 'SteeringPolicy' },
)
export type SteeringPolicy = Static<typeof SteeringPolicy>
