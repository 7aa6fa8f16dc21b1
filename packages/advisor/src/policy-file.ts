import Type from 'typebox'
import { Check, Errors } from 'typebox/value'

const factor = (description: string) => Type.Number({ minimum: 0.1, maximum: 10, description })

/** A policy, as in the files of `policies/`. */
export const policyFileSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
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
    preference: Type.Object(
      { '5G': factor('5G'), WiFi: factor('WiFi'), LiFi: factor('LiFi') },
      {
        additionalProperties: false,
        description: 'By how much throughput over a technology counts more than its figure.',
      },
    ),
    outage_aversion: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'How much worse a second without connection is than a second without this throughput.',
    }),
    anticipate_blockages: Type.Boolean({
      description: 'Move clients away from LiFi before a blockage that follows a known period.',
    }),
    sleep: Type.Boolean({ description: 'Put access points to sleep while others can carry their clients.' }),
    guards: Type.Optional(
      Type.Partial(
        Type.Object(
          {
            stay_s: Type.Integer({
              minimum: 1,
              maximum: 600,
              description: 'A client stays at least so long.',
            }),
            moves_per_minute: Type.Integer({
              minimum: 1,
              maximum: 60,
              description: 'Handover budget of a client.',
            }),
            refused_s: Type.Integer({
              minimum: 1,
              maximum: 86_400,
              description: 'Rest after a refusal of a client.',
            }),
            min_gain: Type.Number({
              minimum: 0,
              maximum: 10,
              description: 'Hysteresis: a move must improve the throughput of the client by this part.',
            }),
            max_sleep_load: Type.Number({
              minimum: 0,
              maximum: 1,
              description: 'Those that stay awake must not have more load afterwards.',
            }),
          },
          { additionalProperties: false },
        ),
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, title: 'Steering policy', $id: 'https://manc.invalid/steering-policy.json' },
)

export type PolicyFile = Type.Static<typeof policyFileSchema>

const defaultGuards = {
  stay_s: 12,
  moves_per_minute: 2,
  refused_s: 900,
  min_gain: 0.1,
  max_sleep_load: 0.5,
}
export type Guards = typeof defaultGuards

export const guardsOf = ({ guards }: PolicyFile): Guards => ({ ...defaultGuards, ...guards })

/** Throws with the first problem of a file that is not a policy. */
export function parsePolicy(content: unknown): PolicyFile {
  if (Check(policyFileSchema, content)) return content
  const [first] = Errors(policyFileSchema, content)
  throw new Error(
    `The policy is not valid: ${first?.instancePath || '/'} ${first?.message ?? ''}. Compare it with policies/schema.json.`,
  )
}
