import { join } from 'node:path'
import { EngineError } from './engine-error.ts'
import {
  type ClusterState,
  ENGINE_NAMES,
  type EngineName,
  markOf,
  NODE_NAMES,
  type NodeName,
  type SetState,
} from './state.ts'

export type UnitName = EngineName | NodeName | 'vmalert'

/** How a unit is started and stopped. `patroni` is a PostgreSQL that Patroni starts. */
export type UnitKind = EngineName | 'vmalert' | 'patroni' | 'etcd'

/** The state of a set that is a cluster. */
export type ClusterSetState = SetState & { readonly cluster: ClusterState }

/** What is started, killed and found by itself: an engine of a set, or a node of a cluster. */
export interface Unit {
  readonly name: UnitName
  readonly kind: UnitKind
  /** With the id, the data folder and the ports of a node in place of those of its set. */
  readonly state: SetState
  /** The cluster that the node belongs to. */
  readonly cluster: ClusterSetState | undefined
}

export function isCluster(state: SetState): state is ClusterSetState {
  return Boolean(state.cluster)
}

export function kindOf(node: NodeName): UnitKind {
  if (node.startsWith('postgres')) return 'patroni'
  if (node.startsWith('rabbitmq')) return 'rabbitmq'
  return node.startsWith('etcd') ? 'etcd' : 'victoria'
}

/** A node has a mark of its own, so that its processes are found without those of the other nodes. */
export function nodeOf(set: ClusterSetState, name: NodeName): Unit {
  const id = `${set.id}-${name}`
  const state = {
    ...set,
    id,
    dataDir: join(set.dataDir, markOf({ id })),
    ports: { ...set.ports, ...set.cluster.ports[name] },
    cluster: null,
  }
  return { name, kind: kindOf(name), state, cluster: set }
}

export const nodesOf = (set: ClusterSetState, kind?: UnitKind): readonly Unit[] =>
  NODE_NAMES.filter((name) => kind === undefined || kindOf(name) === kind).map((name) => nodeOf(set, name))

export function unitsOf(state: SetState): readonly Unit[] {
  const engine = (name: EngineName | 'vmalert'): Unit => ({ name, kind: name, state, cluster: undefined })
  const engines = isCluster(state) ? nodesOf(state) : ENGINE_NAMES.map(engine)
  return state.hasVmalert ? [...engines, engine('vmalert')] : engines
}

export function unitNamed(state: SetState, name: string | undefined): Unit {
  const units = unitsOf(state)
  const unit = units.find((each) => each.name === name)
  if (unit) return unit
  throw new EngineError(
    `The set "${state.name}" has no engine "${name ?? ''}". Name one of: ${units.map((each) => each.name).join(', ')}.`,
  )
}

/** The brokers of a cluster find each other through one epmd, which no node owns. */
export const epmdMarkOf = (state: SetState, cluster: ClusterSetState | undefined): string =>
  cluster ? `${markOf(cluster)}-epmd` : markOf(state)
