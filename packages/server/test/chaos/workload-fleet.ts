import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetAgent, FleetChanges } from '@manc/contract'
import { call } from '@manc/harness'
import { type Context, perform } from './caller.ts'

/** Follows the changes of the fleet as the console does: the whole list once, then what has changed. */
export class FleetFollower {
  readonly #context: Context
  readonly #agents = new Map<string, string>()
  #next = ''
  #needsList = true

  constructor(context: Context) {
    this.#context = context
  }

  /** One request after the other, because changes have an order. */
  async run(): Promise<void> {
    const { stopping } = this.#context
    while (!stopping.aborted) {
      await this.poll()
      await sleep(1000, undefined, { signal: stopping }).catch(() => {})
    }
  }

  async poll(): Promise<void> {
    const path = `/api/v1/fleet/changes${this.#next === '' ? '' : `?after=${this.#next}`}`
    const { token } = this.#context
    const { outcome, body } = await perform(this.#context, { kind: 'changes', method: 'GET', path, token })
    if (outcome !== 'ok') return
    const { agents, removed, is_complete: isComplete, next } = body as FleetChanges
    if (this.#next === '' || !isComplete) this.#needsList = true
    this.#next = next
    if (this.#needsList) await this.#readList()
    else {
      for (const { ap_id: apId, state } of agents) if (this.#isOurs(apId)) this.#agents.set(apId, state)
      for (const apId of removed) this.#agents.delete(apId)
    }
  }

  get followed(): Record<string, string> {
    return Object.fromEntries(this.#agents)
  }

  /** The list as it is now, from an api that answers. */
  async listed(): Promise<Record<string, string>> {
    const { urls, token, prefix } = this.#context
    for (const url of urls) {
      const path = `/api/v1/fleet/agents?limit=5000&q=${prefix}-`
      const { status, body } = await call(url, 'GET', path, { token, signal: AbortSignal.timeout(6000) })
      if (status !== 200) continue
      const agents = (body as FleetAgent[]).filter(({ ap_id: apId }) => this.#isOurs(apId))
      return Object.fromEntries(agents.map(({ ap_id: apId, state }) => [apId, state]))
    }
    throw new Error('the list of agents is not available')
  }

  #isOurs(apId: string): boolean {
    return apId.startsWith(`${this.#context.prefix}-`)
  }

  async #readList(): Promise<void> {
    try {
      const listed = await this.listed()
      this.#agents.clear()
      for (const [apId, state] of Object.entries(listed)) this.#agents.set(apId, state)
      this.#needsList = false
    } catch {
      // Read again with the next changes.
    }
  }
}
