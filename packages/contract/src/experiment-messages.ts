import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ExperimentWorld } from './experiments.ts'
import { oneOf } from './schema.ts'
import { SteeringPolicy, steeringPolicyNames } from './steering-policies.ts'
import { WhatIfCommand } from './what-if.ts'

/** An access point of the network, as it was when a world was built from it. */
export const NetworkPlace = Type.Object({
  ap_id: Type.String(),
  technology: oneOf(['5G', 'WiFi', 'LiFi']),
  latitude: Type.Number(),
  longitude: Type.Number(),
  clients: Type.Integer({ minimum: 0 }),
  mbps_per_client: Type.Union([Type.Number(), Type.Null()]),
})
export type NetworkPlace = Static<typeof NetworkPlace>

/** One run of an experiment: a message of the queue `manc.jobs.experiment_run`. */
export const ExperimentRunMessage = Type.Object({
  run_id: Type.String(),
  world: ExperimentWorld,
  duration_s: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  seed: Type.String(),
  policy: Type.Object({
    name: Type.Optional(oneOf(steeringPolicyNames)),
    document: Type.Optional(SteeringPolicy),
  }),
  places: Type.Optional(
    Type.Array(NetworkPlace, { description: 'A world from the network, instead of `world`.' }),
  ),
  command: Type.Optional(WhatIfCommand),
})
export type ExperimentRunMessage = Static<typeof ExperimentRunMessage>

/** Undefined where the text is no such message. */
export function parseExperimentRun(text: string): ExperimentRunMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return Check(ExperimentRunMessage, message) ? message : undefined
  } catch {
    return undefined
  }
}
