import type { AgentClientsMessage, Client, FleetAgent } from '@manc/contract'
import { tokenOf } from '@manc/harness'
import { connectDevice } from '../mqtt/device.ts'
import { onlineAgents, passwordMark, placeholders } from './names.ts'
import { keptToken, type Parties, send, until } from './parties.ts'

const password = `${passwordMark}-of-online-agents`
const technologies = ['WiFi', 'LiFi', '5G', 'WiFi'] as const
const refreshMs = 5000

/** Agents that send samples and report clients. */
export class OnlineAgents {
  readonly #parties: Parties
  #sentAtMs = 0
  /** An update in the name of an administrator would not make it online. */
  readonly #tokens = keptToken(() =>
    Promise.all(onlineAgents.map((apId) => tokenOf(this.#parties.url, 'agent', apId, password))),
  )

  constructor(parties: Parties) {
    this.#parties = parties
  }

  async create(): Promise<void> {
    for (const [index, ap_id] of onlineAgents.entries())
      await send(this.#parties, 'POST', 'agents/', { ap_id, password, configuration: configurationOf(index) })
    await this.#reportClients()
    await until('agents are online', async () => {
      this.#sentAtMs = 0
      await this.refresh()
      const online: FleetAgent[] = await send(this.#parties, 'GET', 'fleet/agents?state=online&limit=1000')
      return online.length === onlineAgents.length ? online : undefined
    })
  }

  /** Their next samples, with their configurations, which requests may have changed. */
  async refresh(): Promise<void> {
    if (Date.now() - this.#sentAtMs < refreshMs) return
    this.#sentAtMs = Date.now()
    const tokens = await this.#tokens()
    for (const [index, ap_id] of onlineAgents.entries()) {
      const body = {
        ap_id,
        configuration: configurationOf(index),
        payload: { clients: index + 1, load_pct: 40, throughput_mbps: 20, channel: 6 },
      }
      await send(this.#parties, 'POST', 'agent_update/update', body, tokens[index])
    }
  }

  /** One of them has moved. */
  async #reportClients(): Promise<void> {
    const names = placeholders.clients.map((_, n) => `02:00:00:00:00:0${n}`)
    const [first = '', second = ''] = onlineAgents
    await this.#publish(first, {
      snapshot: true,
      joined: names.map((client) => ({ client, signal_dbm: -60 })),
    })
    const isListed = (count: number) => async () => {
      const clients: Client[] = await send(this.#parties, 'GET', `clients?ap_id=${first}&state=attached`)
      return clients.length === count ? clients : undefined
    }
    const clients = await until('clients are attached', isListed(names.length))
    for (const [n, placeholder] of placeholders.clients.entries())
      this.#parties.ids.set(placeholder, clients[n]?.id ?? '')
    const client = names[0] ?? ''
    await this.#publish(second, {
      snapshot: true,
      joined: [{ client, signal_dbm: -55, throughput_mbps: 3, heard: { [first]: -60 } }],
    })
    await until('a client has moved', isListed(names.length - 1))
  }

  async #publish(apId: string, message: AgentClientsMessage): Promise<void> {
    const device = await connectDevice(this.#parties.base.engines.mqtt, apId, password)
    await device.publish(`agent/${apId}/clients`, JSON.stringify(message))
    await device.leave()
  }
}

const configurationOf = (index: number) => ({
  technology: technologies[index % technologies.length],
  geolocation: { latitude: 51.45 + index / 10_000, longitude: -2.58 },
})
