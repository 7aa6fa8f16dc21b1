import Type from 'typebox'
import { oneOf } from './schema.ts'
import { technologies } from './technologies.ts'

/** The agents that a rule or a route applies to. */
export const agentScope = {
  technologies: Type.Optional(
    Type.Array(oneOf(technologies), {
      default: [],
      maxItems: technologies.length,
      description: 'Only agents of these technologies. Empty: all.',
    }),
  ),
  ap_ids: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_:*-]{1,64}$' }), {
      default: [],
      maxItems: 100,
      description:
        'Only agents whose id matches one of these patterns; `*` matches any characters. Empty: all.',
    }),
  ),
}
