import Type, { type Static } from 'typebox'
import { apIdPattern } from './agents.ts'
import { Area } from './commands.ts'
import { Experiment, experimentLimits } from './experiments.ts'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { oneOf, storable } from './schema.ts'
import { SteeringPolicy, steeringPolicyNames } from './steering-policies.ts'

const ApId = Type.String({ pattern: apIdPattern })

export const WhatIfCommand = Type.Object(
  { ap_id: ApId, command: Type.String({ minLength: 1, maxLength: 200, pattern: storable }) },
  { title: 'WhatIfCommand' },
)
export type WhatIfCommand = Static<typeof WhatIfCommand>

export const WhatIfCreate = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: storable })),
    agents: Type.Optional(
      Type.Array(ApId, {
        minItems: 1,
        maxItems: experimentLimits.accessPoints,
        description: 'Only these access points.',
      }),
    ),
    area: Type.Optional(Area),
    technology: Type.Optional(Type.Array(oneOf(['5G', 'WiFi', 'LiFi']), { minItems: 1, maxItems: 3 })),
    emulated: Type.Optional(EmulatedAgents('The default is `all` with `agents`, otherwise `own`.')),
    policy: Type.Optional(oneOf(steeringPolicyNames, 'What if this policy steered the clients?')),
    document: Type.Optional(SteeringPolicy),
    command: Type.Optional(WhatIfCommand),
    horizon_s: Type.Optional(
      Type.Integer({
        default: 1800,
        minimum: experimentLimits.minSeconds,
        maximum: 7200,
        description: 'Simulated seconds from now on.',
      }),
    ),
    seed: Type.Optional(Type.String({ default: 'what-if', minLength: 1, maxLength: 64, pattern: storable })),
    repetitions: Type.Optional(
      Type.Integer({
        default: 5,
        minimum: 1,
        maximum: experimentLimits.repetitions,
        description:
          'Number of seeds. What the controller does not know, such as where clients walk, differs between them.',
      }),
    ),
  },
  { title: 'WhatIfCreate' },
)
export type WhatIfCreate = Static<typeof WhatIfCreate>

export const whatIfOperations = {
  createWhatIf: operation({
    id: 'createWhatIf',
    method: 'POST',
    path: '/api/v1/what_if',
    tag: 'Experiments',
    summary: 'Simulate the next minutes of the network, with and without a policy or a command',
    description: `Builds a world from access points that are not offline and have a position: their technologies, positions, channels, clients and throughput now, and what measured clients hear and receive. At least one of \`agents\`, \`area\` and \`technology\`; at most ${experimentLimits.accessPoints} access points with ${experimentLimits.clients} clients, and ${experimentLimits.clientSeconds} clients times seconds. What is not known is assumed, and differs between seeds: where clients walk, and places, radios and traffic of clients without a measurement; the number of clients stays the same. Exactly one of \`policy\`, \`document\` and \`command\`. The response is an experiment with the policy \`none\` and the other one; its results have the difference with its 95 % interval. Nothing is sent to access points. An app gets access points that its permissions cover, and needs \`agents:read\` and \`metrics:read\` as well. 404: none of the access points can be simulated, or not the one of the command; \`left_out\` of the response counts selected ones that are not in the world.`,
    auth: 'bearer',
    idempotent: true,
    body: WhatIfCreate,
    response: Experiment,
    refusals: [400, 401, 403, 404, 409, 429, 503],
    sdk: 'experiments.whatIf',
  }),
}
