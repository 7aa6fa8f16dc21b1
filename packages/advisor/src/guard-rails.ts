import type { ClientMemory } from './client-memory.ts'
import type { Guards } from './policy-file.ts'
import type { Outcome, View } from './view.types.ts'

/** A return within this time counts as a ping-pong, and is never proposed. */
const pingPongS = 11
/** By default, the effect of a move is known after so many seconds. */
const defaultEffectS = 20
/** A move after which the client has less than this part of what it had before is reverted, */
const worse = 0.6
/** and not repeated for a while. */
const worseS = 600

interface Watched {
  to: number
  from: number
  s: number
  beforeMbps: number
}

/** Limits on moves that hold for every policy. */
export class GuardRails {
  readonly #guards: Guards
  readonly #memory: ClientMemory
  readonly #effectS: number
  readonly #restUntil = new Map<number, number>()
  /** Times of the last moves of a client by its policy. */
  readonly #moves = new Map<number, number[]>()
  readonly #watched = new Map<number, Watched>()
  /** By client and access point: not to be tried before. */
  readonly #worseUntil = new Map<string, number>()

  constructor(guards: Guards, memory: ClientMemory, effectS = defaultEffectS) {
    this.#guards = guards
    this.#memory = memory
    this.#effectS = effectS
  }

  /** The client may be asked to move at all. An urgent move ends a stay early, but not a rest after a refusal. */
  allows(client: number, s: number, isUrgent = false): boolean {
    if (s < (this.#restUntil.get(client) ?? 0)) return false
    if (!isUrgent && s - (this.#memory.movedS[client] as number) < this.#guards.stay_s) return false
    const recent = this.#moves.get(client)?.filter((at) => s - at < 60) ?? []
    return recent.length < this.#guards.moves_per_minute
  }

  allowsTarget(client: number, to: number, s: number): boolean {
    const isBack = this.#memory.previous[client] === to
    if (isBack && s - (this.#memory.movedS[client] as number) < pingPongS) return false
    return s >= (this.#worseUntil.get(`${client} ${to}`) ?? 0)
  }

  learn(outcomes: readonly Outcome[], { s }: View): void {
    for (const { proposal, done } of outcomes) {
      if (proposal.kind !== 'steer') continue
      const { client, from, to } = proposal
      if (!done) {
        this.#restUntil.set(client, s + this.#guards.refused_s)
        continue
      }
      this.#moves.set(client, [s, ...(this.#moves.get(client) ?? [])].slice(0, this.#guards.moves_per_minute))
      this.#watched.set(client, { from, to, s, beforeMbps: this.#memory.recent[client] as number })
    }
  }

  /** Moves that made it worse, to be undone. */
  reverts({ s, clients }: View): { client: number; from: number; to: number }[] {
    const found: { client: number; from: number; to: number }[] = []
    for (const [client, watched] of this.#watched) {
      if (s - watched.s < this.#effectS) continue
      this.#watched.delete(client)
      const isThere = clients[client]?.accessPoint === watched.to
      if (!isThere || (this.#memory.recent[client] as number) >= worse * watched.beforeMbps) continue
      this.#worseUntil.set(`${client} ${watched.to}`, s + worseS)
      found.push({ client, from: watched.to, to: watched.from })
    }
    return found
  }
}
