import type { DecisionCreate, DecisionMode } from '@manc/sdk'
import type { Proposal } from '../view.types.ts'
import type { Area } from './area.ts'
import type { AccessPoint, Telemetry } from './network.ts'

type Steer = Extract<Proposal, { kind: 'steer' }>
type Switch = Exclude<Proposal, { kind: 'steer' }>
type Effect = DecisionCreate['expected'][number]
type Observed = NonNullable<DecisionCreate['observed']>[number]

/** A decision that is to be created, with the proposals of the policy that it consists of. */
export interface Plan {
  area: Area
  proposals: readonly Proposal[]
  /** The access point that its commands are sent to. */
  apId: string
  decision: DecisionCreate
}

interface Context {
  network: Telemetry
  policy: string
  mode: DecisionMode
  expiresS: number
}

/** Limits of a decision: commands, and KPIs of the effect, of which an access point that gets clients has three. */
const maxCommands = 20
const maxTargets = 6

/** One decision for the moves from each access point, and one for each that goes to sleep or wakes. The largest first. */
export function plansOf(area: Area, proposals: readonly Proposal[], context: Context): Plan[] {
  const steers = proposals.filter((each) => each.kind === 'steer')
  const groups = Map.groupBy(steers, ({ from, expected }) => `${from} ${expected.reason}`)
  const moves = [...groups.values()].map((group) => steerPlan(area, bounded(group), context))
  const switches = proposals.filter((each) => each.kind !== 'steer')
  return [
    ...moves.toSorted((a, b) => b.proposals.length - a.proposals.length),
    ...switches.map((each) => switchPlan(area, each, context)),
  ]
}

/** The first ones, to a few access points. */
function bounded(steers: readonly Steer[]): Steer[] {
  const targets = new Set<number>()
  return steers
    .filter(({ to }) => {
      if (targets.size < maxTargets) targets.add(to)
      return targets.has(to)
    })
    .slice(0, maxCommands)
}

function steerPlan(area: Area, steers: readonly Steer[], context: Context): Plan {
  const { network, policy, mode, expiresS } = context
  const [first] = steers as [Steer, ...Steer[]]
  const from = area.accessPoints[first.from] as AccessPoint
  const targets = [...Map.groupBy(steers, ({ to }) => to)]
  const clientOf = ({ client }: Steer) => area.view.clients[client]?.id ?? ''
  const concerned = [first.from, ...targets.map(([to]) => to)]
  return {
    area,
    proposals: steers,
    apId: from.ap_id,
    decision: {
      policy,
      mode,
      expires_in_s: expiresS,
      reason: reasonOf(area, steers, network),
      client: steers.length === 1 ? clientOf(first) : null,
      observed: concerned.flatMap((index) => observedOf(area, index, network)),
      expected: [
        ...effectsOf(area, first.from, steers, network),
        ...targets.flatMap(([to]) => effectsOf(area, to, steers, network)),
      ],
      commands: steers.map((steer) => ({
        ap_id: from.ap_id,
        command: `steer_client ${clientOf(steer)} ${area.accessPoints[steer.to]?.ap_id}`,
      })),
    },
  }
}

function observedOf(area: Area, index: number, network: Telemetry): Observed[] {
  const { ap_id: apId } = area.accessPoints[index] as AccessPoint
  const at = network.sampleOf(apId)?.time
  return (['load_pct', 'clients'] as const).flatMap((kpi) => {
    const value = network.valueOf(apId, kpi)
    return value === undefined || !at ? [] : { ap_id: apId, kpi, value, at }
  })
}

/** What the moves change at one access point, in KPIs that the controller measures. */
function effectsOf(area: Area, index: number, steers: readonly Steer[], network: Telemetry): Effect[] {
  const { ap_id: apId } = area.accessPoints[index] as AccessPoint
  const leaving = steers.filter(({ from }) => from === index)
  const coming = steers.filter(({ to }) => to === index)
  const effect = (kpi: Effect['kpi'], change: number, max = Number.POSITIVE_INFINITY): Effect[] => {
    const value = network.valueOf(apId, kpi)
    if (value === undefined) return []
    return [{ ap_id: apId, kpi, from: value, to: rounded(Math.min(max, Math.max(0, value + change))) }]
  }
  const loadChange =
    sum(leaving.map(({ expected }) => changeOf(expected.fromLoad))) +
    sum(coming.map(({ expected }) => changeOf(expected.toLoad)))
  const clients = coming.length - leaving.length
  const effects = [
    ...effect('load_pct', 100 * loadChange, 100),
    ...effect('clients', clients),
    ...(coming.length > 0
      ? effect('throughput_mbps', sum(coming.map(({ expected }) => expected.afterMbps ?? 0)))
      : []),
  ]
  // Without a sample the number of clients is known from their list.
  if (effects.length > 0 || index !== steers[0]?.from) return effects
  const attached = area.view.clients.filter(({ accessPoint }) => accessPoint === index).length
  return [{ ap_id: apId, kpi: 'clients', from: attached, to: Math.max(0, attached + clients) }]
}

/** Of the part of an access point that is used, which is at most 1. */
const changeOf = (load: { before: number; after: number } | undefined): number =>
  load ? Math.min(1, load.after) - Math.min(1, load.before) : 0

function reasonOf(area: Area, steers: readonly Steer[], network: Telemetry): string {
  const [first] = steers as [Steer, ...Steer[]]
  const from = area.accessPoints[first.from] as AccessPoint
  const targets = [...Map.groupBy(steers, ({ to }) => to)]
    .map(([to, group]) => {
      const target = area.accessPoints[to] as AccessPoint
      return `${group.length} to ${nameOf(target)}${loadText(target, network)}`
    })
    .join('; ')
  const count = counted(steers.length)
  switch (first.expected.reason) {
    case 'blocked light':
      return `The light of ${nameOf(from)} is blocked, or is about to be. ${count} should move to radio: ${targets}.`
    case 'worse than before':
      return `${count} have less throughput since they moved to ${nameOf(from)}. They should move back: ${targets}.`
    case 'load':
      return `${nameOf(from)} is busier than its neighbours${loadText(from, network)}. ${count} should move: ${targets}.`
    default: {
      const mean = (of: (steer: Steer) => number | undefined) =>
        rounded(sum(steers.map((steer) => of(steer) ?? 0)) / steers.length)
      const before = mean(({ expected }) => expected.beforeMbps)
      const after = mean(({ expected }) => expected.afterMbps)
      return `${nameOf(from)} is full${loadText(from, network)}. ${count} should get ${after} Mbit/s each instead of ${before}: ${targets}.`
    }
  }
}

function switchPlan(area: Area, proposal: Switch, { network, policy, mode, expiresS }: Context): Plan {
  const one = area.accessPoints[proposal.accessPoint] as AccessPoint
  const { ap_id: apId } = one
  const { kind, expected } = proposal
  const powerW = network.valueOf(apId, 'power_w')
  const clients = network.valueOf(apId, 'clients') ?? 0
  const isSleep = kind === 'sleep'
  const effects: Effect[] = [{ ap_id: apId, kpi: 'clients', from: clients, to: isSleep ? 0 : 1 }]
  if (powerW !== undefined && expected.savedW !== undefined)
    effects.push({
      ap_id: apId,
      kpi: 'power_w',
      from: powerW,
      to: rounded(Math.max(0, powerW - expected.savedW)),
    })
  return {
    area,
    proposals: [proposal],
    apId,
    decision: {
      policy,
      mode,
      expires_in_s: expiresS,
      reason: isSleep
        ? `Others can carry the clients of ${nameOf(one)}: ${expected.reason}. Asleep it needs about ${rounded(expected.savedW ?? 0)} W less.`
        : `${nameOf(one)} is needed again: ${expected.reason === 'load' ? 'those that carry its clients become busy' : 'a client has a weak signal and no alternative'}.`,
      observed: observedOf(area, proposal.accessPoint, network),
      expected: effects,
      commands: [{ ap_id: apId, command: kind }],
    },
  }
}

const nameOf = ({ ap_id: apId, name }: Pick<AccessPoint, 'ap_id' | 'name'>): string =>
  name === null ? apId : `${name} (${apId})`

function loadText({ ap_id: apId }: AccessPoint, network: Telemetry): string {
  const load = network.valueOf(apId, 'load_pct')
  const clients = network.valueOf(apId, 'clients')
  const texts = [
    ...(load === undefined ? [] : [`load ${load} %`]),
    ...(clients === undefined ? [] : [counted(clients)]),
  ]
  return texts.length > 0 ? `, ${texts.join(' with ')}` : ''
}

const counted = (clients: number) => `${clients} client${clients === 1 ? '' : 's'}`
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const rounded = (value: number) => Math.round(value * 10) / 10
