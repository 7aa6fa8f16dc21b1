import { SteeringGuards, SteeringPolicy, SteeringPreference } from '@manc/contract'
import Type from 'typebox'
import { Check, Errors } from 'typebox/value'

const strict = { additionalProperties: false }

/** A policy, as in the files of `policies/`: the document of the contract without unknown members. */
export const policyFileSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
    ...SteeringPolicy.properties,
    preference: Type.Object(SteeringPreference.properties, {
      ...strict,
      description: 'By how much throughput over a technology counts more than its figure.',
    }),
    guards: Type.Optional(Type.Object(SteeringGuards.properties, strict)),
  },
  { ...strict, title: 'Steering policy', $id: 'https://manc.invalid/steering-policy.json' },
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
