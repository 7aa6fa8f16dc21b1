import type { PortName } from './ports.ts'
import type { SetState } from './state.ts'
import { isCluster, nodesOf, type UnitKind } from './units.ts'

export interface EngineUrls {
  readonly postgres: string
  readonly rabbitmq: string
  readonly rabbitmqManagement: string
  readonly mqtt: string
  readonly victoria: string
  /** Undefined in a set without vmalert. */
  readonly vmalert?: string
}

/** Of a cluster: all nodes, where a setting accepts several; agents and the metrics store have the first. */
export function urlsOf(state: SetState): EngineUrls {
  const { passwords } = state
  const hosts = (kind: UnitKind, port: PortName) =>
    (isCluster(state) ? nodesOf(state, kind).map((node) => node.state) : [state]).map(
      ({ ports }) => `127.0.0.1:${ports[port]}`,
    )
  const all = (kind: UnitKind, port: PortName) => hosts(kind, port).join(',')
  return {
    postgres: `postgres://manc:${passwords.postgres}@${all('patroni', 'postgres')}/manc`,
    rabbitmq: `amqp://manc:${passwords.rabbitmq}@${all('rabbitmq', 'amqp')}`,
    rabbitmqManagement: `http://manc:${passwords.rabbitmq}@${all('rabbitmq', 'management')}`,
    mqtt: `mqtt://${hosts('rabbitmq', 'mqtt')[0]}`,
    victoria: `http://${hosts('victoria', 'victoria')[0]}`,
    ...(state.hasVmalert && { vmalert: `http://127.0.0.1:${state.ports.vmalert}` }),
  }
}

export function withoutPassword(url: string): string {
  return url.replace(/:[^:/@]+@/, '@')
}
