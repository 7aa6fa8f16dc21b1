import Type, { type Static } from 'typebox'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { Nullable, oneOf } from './schema.ts'
import { technologies } from './technologies.ts'

/** Points of a trend, one a minute. */
export const trendPoints = 60
export const trendStepS = 60

const values = (description: string) => Type.Array(Nullable(Type.Number()), { description })

const trends = {
  online: values('Number of agents that are online.'),
  degraded: values('Number of agents whose health is degraded.'),
  bad: values('Number of agents whose health is bad.'),
  offline: values('Number of agents that are offline.'),
  clients: values('Total.'),
  throughput_mbps: values('Total.'),
  power_w: values('Total.'),
}
export const trendNames = [
  'online',
  'degraded',
  'bad',
  'offline',
  'clients',
  'throughput_mbps',
  'power_w',
] as const satisfies readonly (keyof typeof trends)[]
export type TrendName = (typeof trendNames)[number]

export const FleetTrends = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'Time of the first value of each list.' }),
    step_s: Type.Integer({ description: 'Seconds between the values.' }),
    ...trends,
    technologies: Type.Array(
      Type.Object({ technology: oneOf(technologies), ...trends }, { title: 'TechnologyTrends' }),
      { description: 'One entry for each technology, including those without agents.' },
    ),
  },
  {
    title: 'FleetTrends',
    description: `Each list has ${trendPoints} values, the oldest first. A value is null if none was recorded.`,
  },
)
export type FleetTrends = Static<typeof FleetTrends>

export const fleetTrendOperations = {
  getFleetTrends: operation({
    id: 'getFleetTrends',
    method: 'GET',
    path: '/api/v1/fleet/trends',
    tag: 'Fleet',
    summary: 'Get the counts and sums of the fleet in the last hour',
    description:
      'Recorded once a minute by technology, so the cost does not depend on the number of agents. For users only: what was recorded cannot be limited to the agents of an app.',
    auth: 'bearer',
    query: Type.Object({ emulated: Type.Optional(EmulatedAgents('The default is `own`.')) }),
    response: FleetTrends,
    refusals: [401, 403, 429, 503],
  }),
}
