import {
  type ExperimentCreate,
  type ExperimentGroup,
  type ExperimentWorld,
  experimentLimits,
  type SteeringPolicy,
  type SteeringPolicyName,
  steeringPolicyNames,
  type ValidationItem,
} from '@manc/contract'

/** As in the contract. */
const defaultSeconds = 1800

/** What the schema cannot express. */
export function wrongMembers({ world, duration_s: durationS, ...given }: ExperimentCreate): ValidationItem[] {
  return [
    ...wrongWorld(world, durationS ?? defaultSeconds),
    ...wrongPolicies(policyNamesOf(given)),
    ...wrongDocuments(given.documents ?? []),
  ]
}

/** All policies in their order: those with a name, and then the documents. */
export const policyNamesOf = ({
  policies = [],
  documents = [],
}: Pick<ExperimentCreate, 'policies' | 'documents'>): string[] => [
  ...policies,
  ...documents.map(({ name }) => name),
]

function wrongWorld(world: ExperimentWorld, seconds: number): ValidationItem[] {
  const { name, access_points: groups, scenario, client_mix: mix } = world
  const wrong = (msg: string) => [problem(['body', 'world'], msg)]
  if ((name === undefined) === (groups === undefined))
    return wrong('a world needs either a name or access_points')
  if (!groups)
    return scenario === undefined && mix === undefined
      ? []
      : wrong('a world with a name has its own scenario and client_mix: leave them out')
  const sum = (of: (group: ExperimentGroup) => number) =>
    groups.reduce((total, group) => total + of(group), 0)
  const accessPoints = sum(({ count }) => count)
  const clients = sum(({ count, clients: each }) => count * each)
  const {
    accessPoints: maxAccessPoints,
    clients: maxClients,
    clientSeconds: maxClientSeconds,
  } = experimentLimits
  if (accessPoints > maxAccessPoints)
    return wrong(`at most ${maxAccessPoints} access points, not ${accessPoints}`)
  if (clients > maxClients) return wrong(`at most ${maxClients} clients, not ${clients}`)
  if (clients * seconds > maxClientSeconds)
    return wrong(
      `${clients} clients for ${seconds} s are too much for one run: at most ${Math.floor(maxClientSeconds / clients)} s`,
    )
  const weights = mix && Object.values(mix)
  if (weights?.every((weight) => weight === 0)) return wrong('client_mix needs a weight above 0')
  return []
}

function wrongPolicies(names: readonly string[]): ValidationItem[] {
  const wrong = (msg: string) => [problem(['body', 'policies'], msg)]
  if (names.length === 0) return wrong('at least one policy, by name or as a document')
  if (names.length > experimentLimits.policies)
    return wrong(`at most ${experimentLimits.policies} policies and documents in all, not ${names.length}`)
  const repeated = names.find((name, n) => names.indexOf(name) !== n)
  return repeated === undefined ? [] : wrong(`policies need different names: ${repeated} is there twice`)
}

/** Results name policies: a document with the name of another policy could not be told from it. */
function wrongDocuments(documents: readonly SteeringPolicy[]): ValidationItem[] {
  return documents.flatMap(({ name }, n) =>
    isKnownPolicy(name) ? [problem(['body', 'documents', n, 'name'], takenName(name))] : [],
  )
}

export const isKnownPolicy = (name: string): name is SteeringPolicyName =>
  (steeringPolicyNames as readonly string[]).includes(name)

export const takenName = (name: string) =>
  `${name} is the name of a known policy: give the document another name`

const problem = (loc: ValidationItem['loc'], msg: string): ValidationItem => ({
  loc,
  msg: `Value error, ${msg}`,
  type: 'value_error',
})
