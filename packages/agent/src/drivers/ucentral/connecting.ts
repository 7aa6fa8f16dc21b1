import type { Duplex } from 'node:stream'

export interface ConnectingLimits {
  /** For the WebSocket and the message `connect` together. */
  connectMs: number
  maxConnecting: number
  /** Of one access point, or of one address if access points have no certificates: it must not take the places of others. */
  maxConnectingOfOne: number
}

interface Connecting {
  identity: string
  deadline: NodeJS.Timeout
}

/** Connections without an accepted `connect`: how many there may be, and for how long. */
export class ConnectingPeers {
  readonly #limits: ConnectingLimits
  readonly #all = new Map<Duplex, Connecting>()

  constructor(limits: ConnectingLimits) {
    this.#limits = limits
  }

  /** Why there is no place for it; undefined if there is. It is no longer connecting when it is closed. */
  add(socket: Duplex, identity: string, onLate: () => void): string | undefined {
    const { connectMs, maxConnecting, maxConnectingOfOne } = this.#limits
    const same = [...this.#all.values()].filter((each) => each.identity === identity).length
    if (same >= maxConnectingOfOne) return `${same} other connections of it are connecting`
    if (this.#all.size >= maxConnecting) return `${this.#all.size} others are connecting`
    this.#all.set(socket, { identity, deadline: setTimeout(onLate, connectMs) })
    socket.once('close', () => this.remove(socket))
    return undefined
  }

  /** It was accepted, or is closed. */
  remove(socket: Duplex): void {
    clearTimeout(this.#all.get(socket)?.deadline)
    this.#all.delete(socket)
  }

  destroyAll(): void {
    for (const socket of this.#all.keys()) socket.destroy()
  }
}
