import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ExperimentWorld } from './experiments.ts'
import { oneOf } from './schema.ts'
import { SteeringPolicy, steeringPolicyNames } from './steering-policies.ts'
import { WhatIfCommand } from './what-if.ts'

/** A client of the network that is known by its measurement. */
export const NetworkClient = Type.Object({
  mbps: Type.Union([Type.Number(), Type.Null()], {
    description: 'What it asks for, as far as that is known.',
  }),
  heard: Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Number()]), {
    description: 'Access points that it hears, by their place in the list, with their signals.',
  }),
})
export type NetworkClient = Static<typeof NetworkClient>

/** An access point of the network, as it was when a world was built from it. */
export const NetworkPlace = Type.Object({
  ap_id: Type.String(),
  technology: oneOf(['5G', 'WiFi', 'LiFi']),
  latitude: Type.Number(),
  longitude: Type.Number(),
  clients: Type.Integer({ minimum: 0 }),
  mbps_per_client: Type.Union([Type.Number(), Type.Null()]),
  channel: Type.Optional(Type.Integer()),
  tx_power_dbm: Type.Optional(Type.Number()),
  is_off: Type.Optional(Type.Boolean({ description: 'Asleep or switched off.' })),
  members: Type.Optional(
    Type.Array(NetworkClient, { description: 'Those of its clients that are known. Others are assumed.' }),
  ),
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
