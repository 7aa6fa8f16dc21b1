import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PeerBss, WifiWorld } from './wifi-world.ts'

type Json = Record<string, any>

export const account = { username: 'manc', password: 'a-password' }

const noObject = { error: { code: -32000, message: 'Object not found' } }

/** Stands for uhttpd with ubus and hostapd of OpenWrt: see README.md. */
export class UbusPeer {
  /** Whether it has `/ubus/subscribe`. */
  hasEvents = true
  /** Whether the account may use iwinfo. */
  hasIwinfo = true
  /** Whether its hostapd is built with 802.11v. */
  has11v = true
  /** Whether rpcd runs, which has the sessions. */
  hasSessions = true
  logins = 0
  busyMs = 250
  activeMs = 1000
  readonly calls: string[] = []
  readonly #world: WifiWorld
  readonly #server: Server
  readonly #sessions = new Set<string>()
  readonly #subscribers = new Map<ServerResponse, string>()

  private constructor(world: WifiWorld) {
    this.#world = world
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  static async start(world: WifiWorld): Promise<UbusPeer> {
    const peer = new UbusPeer(world)
    await new Promise<void>((resolve) => peer.#server.listen(0, '127.0.0.1', resolve))
    return peer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ubus`
  }

  expireSessions(): void {
    this.#sessions.clear()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return this.#subscribe(request, response)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { id, method, params } = JSON.parse(text)
    response.setHeader('content-type', 'application/json')
    const answer = method === 'list' ? { result: this.#list() } : this.#call(params)
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }

  #subscribe(request: IncomingMessage, response: ServerResponse): void {
    const session = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const object = decodeURIComponent(request.url?.split('/subscribe/')[1] ?? '')
    if (!this.hasEvents || !this.#sessions.has(session)) {
      response.statusCode = this.hasEvents ? 200 : 404
      response.setHeader('content-type', 'application/json')
      response.end('{"code":-13,"message":"Permission denied"}')
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    response.flushHeaders()
    this.#subscribers.set(response, object)
    response.once('close', () => this.#subscribers.delete(response))
  }

  #list(): Json {
    return Object.fromEntries(this.#world.bsss.map(({ name }) => [`hostapd.${name}`, {}]))
  }

  #call([session, object, method, args]: [string, string, string, Json]): Json {
    this.calls.push(`${object} ${method}`)
    if (object === 'session' && !this.hasSessions) return noObject
    if (object === 'session' && method === 'login') return { result: this.#logIn(args) }
    const isAllowed = object !== 'iwinfo' || this.hasIwinfo
    if (!this.#sessions.has(session) || !isAllowed)
      return { error: { code: -32002, message: 'Access denied' } }
    if (object === 'iwinfo') return { result: [0, { txpower: 20, noise: -95, signal: -50 }] }
    const bss = this.#world.named(object.replace('hostapd.', ''))
    if (!bss) return noObject
    return { result: this.#hostapd(bss, method, args) }
  }

  #logIn({ username, password }: Json): unknown[] {
    this.logins += 1
    if (username !== account.username || password !== account.password) return [6]
    const session = `${this.logins}`.padStart(32, 'a')
    this.#sessions.add(session)
    return [0, { ubus_rpc_session: session, timeout: 300, expires: 299 }]
  }

  #hostapd(bss: PeerBss, method: string, args: Json): unknown[] {
    switch (method) {
      case 'get_status':
        return [
          0,
          {
            status: 'ENABLED',
            bssid: bss.bssid,
            ssid: 'office',
            freq: bss.frequencyMhz,
            channel: bss.channel,
            op_class: 81,
            airtime: { time: this.activeMs, time_busy: this.busyMs, utilization: 102 },
          },
        ]
      case 'get_clients':
        return [0, { freq: bss.frequencyMhz, clients: clientsOf(bss) }]
      case 'rrm_nr_get_own':
        return [0, { value: [bss.bssid, 'office', bss.report] }]
      case 'bss_transition_request':
        return this.has11v ? this.#transition(bss, args) : [3]
      case 'del_client':
        return bss.stations.delete(args['addr']) ? [0] : [4]
      case 'switch_chan':
        this.#world.switchChannel(bss, args['freq'])
        return [0]
      default:
        return [3]
    }
  }

  #transition(bss: PeerBss, { addr, neighbors }: Json): unknown[] {
    if (!bss.stations.has(addr)) return [4]
    const to = String(neighbors[0])
      .slice(0, 12)
      .replaceAll(/(..)(?=.)/g, '$1:')
    const answer = this.#world.ask(bss, addr, to)
    if (answer)
      setImmediate(() => {
        for (const [response, object] of this.#subscribers) {
          if (object !== `hostapd.${bss.name}`) continue
          response.write(`event: probe\ndata: {"address":"02:aa:00:00:00:00"}\n\n`)
          const data = {
            address: addr,
            'dialog-token': 1,
            'status-code': answer.status,
            'target-bssid': answer.target,
          }
          response.write(`event: bss-transition-response\ndata: ${JSON.stringify(data)}\n\n`)
        }
      })
    return [0]
  }
}

const clientsOf = ({ stations }: PeerBss) =>
  Object.fromEntries(
    [...stations.values()].map(({ address, signal, rxBytes, txBytes, supports11v }) => [
      address,
      {
        auth: true,
        assoc: true,
        authorized: true,
        extended_capabilities: [0, 0, supports11v ? 8 : 0, 0, 0, 0, 0, 64],
        bytes: { rx: rxBytes, tx: txBytes },
        rate: { rx: 866_700, tx: 433_300 },
        signal,
      },
    ]),
  )
