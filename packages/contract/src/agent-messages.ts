import Type, { type Static } from 'typebox'
import { oneOf } from './schema.ts'

/** On `agent/<ap_id>/status`, also as the last will of a connection. */
export const AgentStatusMessage = Type.Object({
  status: oneOf(['online', 'offline']),
  connected_at: Type.String({
    format: 'date-time',
    description: 'The start of the connection: the late last will of an older one is ignored.',
  }),
})
export type AgentStatusMessage = Static<typeof AgentStatusMessage>

/** On `agent/<ap_id>/result`, or in `results` of an update over HTTP. */
export const CommandResultMessage = Type.Object({
  id: Type.String(),
  state: oneOf(['delivered', 'succeeded', 'failed']),
  result: Type.Optional(Type.Unknown()),
  detail: Type.Optional(Type.String()),
})
export type CommandResultMessage = Static<typeof CommandResultMessage>
