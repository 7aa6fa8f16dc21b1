import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { EmulatorSpec } from './emulator.ts'
import { oneOf } from './schema.ts'

/** An agent to emulate. This message is the only place where its password is written in plain text. */
export const EmulatedAgent = Type.Object({
  ap_id: Type.String(),
  password: Type.String(),
  spec: Type.Integer({ description: 'The number of its spec in the request.' }),
  latitude: Type.Number(),
  longitude: Type.Number(),
})
export type EmulatedAgent = Static<typeof EmulatedAgent>

/** Without `locations`: they are resolved, and a message has at most 1 MiB. */
export const PartSpec = Type.Omit(EmulatorSpec, ['locations'])
export type PartSpec = Static<typeof PartSpec>

/** What one emulator runs of an emulation: a message of the queue of the job kind `emulator_spinup`. */
export const PartMessage = Type.Object({
  job_number: Type.String(),
  task_type: Type.Literal('emulator_spinup'),
  data: Type.Object({
    part: Type.Integer({ minimum: 1 }),
    parts: Type.Integer({ minimum: 1 }),
    begins_at: Type.String({ format: 'date-time' }),
    specs: Type.Record(Type.String({ pattern: '^\\d+$' }), PartSpec, {
      description: 'By their number in the request: the specs of the agents of this part.',
    }),
    agents: Type.Array(EmulatedAgent),
  }),
})
export type PartMessage = Static<typeof PartMessage>

/** Undefined where the text is no part message. */
export function parsePartMessage(text: string): PartMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return Check(PartMessage, message) ? message : undefined
  } catch {
    return undefined
  }
}

/** What an emulator posts about its part to the callback of the job. Each report renews its lease on the part. */
export const PartReport = Type.Object({
  part: Type.Integer(),
  emulator: Type.String({ format: 'uuid' }),
  state: oneOf(['starting', 'running', 'finished']),
  agents: Type.Integer(),
  live: Type.Integer(),
  technologies: Type.Record(Type.String(), Type.Object({ agents: Type.Integer(), live: Type.Integer() })),
  most_live: Type.Integer(),
  failed: Type.Integer(),
  time_to_full_s: Type.Union([Type.Number(), Type.Null()]),
  samples: Type.Integer({ description: 'Sent by this emulator so far.' }),
  commands: Type.Integer({ description: 'Carried out by this emulator so far.' }),
})
export type PartReport = Static<typeof PartReport>
