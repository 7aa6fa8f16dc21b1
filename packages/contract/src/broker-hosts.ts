import { addressesOf } from './addresses.ts'

/** What to connect to, as `amqplib` takes it. */
export interface BrokerTarget {
  protocol: string
  hostname: string
  port: number
  username: string
  password: string
  /** Percent-encoded. */
  vhost: string
  heartbeat: number
  channelMax?: number
  frameMax?: number
}

/** A connection over which nothing arrives for twice this time is closed. The broker proposes 60 s. */
const heartbeatS = 10
const ports: Record<string, number> = { 'amqp:': 5672, 'amqps:': 5671 }

/** From the URL of one host. */
export function brokerTarget(address: string): BrokerTarget {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(address)
  const isGuest = username === '' && password === ''
  const numbers = ['channelMax', 'frameMax', 'heartbeat'].filter((name) => searchParams.has(name))
  return {
    protocol: protocol.slice(0, -1),
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (ports[protocol] ?? 0),
    username: isGuest ? 'guest' : decodeURIComponent(username),
    password: isGuest ? 'guest' : decodeURIComponent(password),
    vhost: pathname.slice(1),
    heartbeat: heartbeatS,
    ...Object.fromEntries(numbers.map((name) => [name, Number(searchParams.get(name))])),
  }
}

/** The hosts of a setting, one after the other. The first is chosen at random, so that processes spread over them. */
export class BrokerHosts {
  readonly #all: BrokerTarget[]
  #index: number
  /** The host of the next attempt. One object, which `next` changes: `amqplib` reads it at every attempt. */
  readonly target: BrokerTarget

  constructor(setting: string) {
    this.#all = addressesOf(setting).map(brokerTarget)
    this.#index = Math.floor(Math.random() * this.#all.length)
    this.target = { ...(this.#all[this.#index] as BrokerTarget) }
  }

  /** For the log. */
  get name(): string {
    return `${this.target.hostname}:${this.target.port}`
  }

  next(): void {
    this.#index = (this.#index + 1) % this.#all.length
    Object.assign(this.target, this.#all[this.#index])
  }
}
