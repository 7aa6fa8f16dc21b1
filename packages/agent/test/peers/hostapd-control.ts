import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { PeerBss, PeerStation, WifiWorld } from './wifi-world.ts'

/** What `hostapd-cli.ts` talks to: replies and events, each ended with a zero byte. */
export class HostapdControl {
  readonly commands: string[] = []
  readonly #world: WifiWorld
  readonly #server: Server
  readonly #sessions = new Map<Socket, string>()
  readonly #silent = new Set<string>()

  private constructor(world: WifiWorld) {
    this.#world = world
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async start(world: WifiWorld): Promise<HostapdControl> {
    const control = new HostapdControl(world)
    await new Promise<void>((resolve) => control.#server.listen(0, '127.0.0.1', resolve))
    return control
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  event(bss: string, text: string): void {
    for (const [socket, name] of this.#sessions) if (name === bss) socket.write(`<3>${text}\0`)
  }

  /** As when hostapd hangs: it answers no more. */
  silence(bss: string): void {
    this.#silent.add(bss)
  }

  /** As when hostapd ends. */
  dropSessions(): void {
    for (const socket of this.#sessions.keys()) socket.destroy()
  }

  async stop(): Promise<void> {
    this.dropSessions()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket): void {
    let text = ''
    socket.setEncoding('utf8').on('error', () => {})
    socket.once('close', () => this.#sessions.delete(socket))
    socket.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 1)
        const name = this.#sessions.get(socket)
        if (name === undefined) this.#sessions.set(socket, line)
        else if (!this.#silent.has(name)) socket.write(`${this.#reply(name, line)}\0`)
      }
    })
  }

  #reply(name: string, line: string): string {
    const [command = '', ...args] = line.split(' ')
    const bss = this.#world.named(name)
    if (command !== 'ping') this.commands.push(`${name} ${line}`)
    if (!bss) return 'FAIL\n'
    switch (command) {
      case 'ping':
        return 'PONG\n'
      case 'status':
        return statusOf(bss)
      case 'all_sta':
        return [...bss.stations.values()].map(stationText).join('')
      case 'show_neighbor':
        return `${bss.bssid} ssid=6f6666696365 nr=${bss.report}\n`
      case 'bss_tm_req':
        return this.#transition(bss, args)
      case 'deauthenticate':
        bss.stations.delete(args[0] ?? '')
        return 'OK\n'
      case 'chan_switch':
        this.#world.switchChannel(bss, Number(args[1]))
        return 'OK\n'
      // A reply that does not end its line.
      case 'interface':
        return 'Available interfaces:\nap1\nap2'
      default:
        return 'UNKNOWN COMMAND\n'
    }
  }

  #transition(bss: PeerBss, [address = '', ...args]: string[]): string {
    if (!bss.stations.has(address)) return 'FAIL\n'
    const to = args.find((each) => each.startsWith('neighbor='))?.slice(9, 26) ?? ''
    const answer = this.#world.ask(bss, address, to)
    if (answer)
      setImmediate(() =>
        this.event(
          bss.name,
          `BSS-TM-RESP ${address} status_code=${answer.status} bss_termination_delay=0 target_bssid=${to}`,
        ),
      )
    return 'OK\n'
  }
}

const statusOf = ({ name, bssid, channel, frequencyMhz, stations }: PeerBss) =>
  `state=ENABLED\nphy=phy0\nfreq=${frequencyMhz}\nchannel=${channel}\nmax_txpower=20\nbss[0]=${name}\nbssid[0]=${bssid}\nssid[0]=office\nnum_sta[0]=${stations.size}\n`

const stationText = ({ address, signal, rxBytes, txBytes, supports11v, joinedMs }: PeerStation) =>
  `${address}\nflags=[AUTH][ASSOC][AUTHORIZED][SHORT_PREAMBLE][WMM][HT]\naid=1\nrx_bytes=${rxBytes}\ntx_bytes=${txBytes}\ninactive_msec=40\nsignal=${signal}\nrx_rate_info=60\ntx_rate_info=650 mcs 7\nconnected_time=${Math.floor((Date.now() - joinedMs) / 1000)}\next_capab=0000${supports11v ? '4a' : '42'}0000000040\n`
