import WebSocket, { type RawData } from 'ws'
import * as messages from './ucentral-messages.ts'

export interface PeerRequest {
  jsonrpc: string
  method: string
  params: Record<string, any>
  id: number
}

interface Station {
  address: string
  rssi: number
  txBytes: number
  rxBytes: number
  connected: number
}

/** Counters and stations of a peer, as its next state has them. */
export class PeerRadio {
  readonly bssid: string
  readonly stations: Station[] = []
  txBytes = 1_000_000
  rxBytes = 500_000
  activeMs = 100_000
  busyMs = 20_000
  uptimeS = 3600
  ssid = 'office'

  constructor(bssid: string) {
    this.bssid = bssid
  }

  add(address: string, more: Partial<Station> = {}): Station {
    const station = { address, rssi: -55, txBytes: 2000, rxBytes: 1000, connected: 60, ...more }
    this.stations.push(station)
    return station
  }

  /** Of one radio of 5 GHz with one BSS, as the schema of the state describes it. */
  get document(): object {
    const associations = this.stations.map(({ address, rssi, txBytes, rxBytes, connected }) => ({
      bssid: this.bssid,
      station: address,
      connected,
      inactive: 0,
      rssi,
      tx_bytes: txBytes,
      rx_bytes: rxBytes,
      tx_packets: 10,
      rx_packets: 10,
      tx_failed: 0,
      tx_retries: 0,
      tx_rate: { bitrate: 866_700, chwidth: 80, mcs: 9, nss: 2, vht: true },
      rx_rate: { bitrate: 433_300, chwidth: 80, mcs: 9, nss: 1, vht: true },
    }))
    const ssid = {
      bssid: this.bssid,
      ssid: this.ssid,
      mode: 'ap',
      iface: 'wlan0',
      radio: { $ref: '#/radios/0' },
      associations,
      counters: { tx_bytes: this.txBytes, rx_bytes: this.rxBytes, tx_packets: 1, rx_packets: 1 },
    }
    return {
      unit: {
        load: [0.2, 0.1, 0.1],
        cpu_load: [12, 10, 14],
        localtime: 1_700_000_000,
        memory: { total: 1000, free: 500, cached: 200, buffered: 50 },
        uptime: this.uptimeS,
        temperature: [51, 62],
      },
      radios: [
        {
          channel: 36,
          channels: [36],
          frequency: [5180],
          channel_width: 80,
          tx_power: 20,
          phy: 'platform/soc/c000000.wifi',
          band: ['5G'],
          survey: [{ frequency: 5180, noise: -95, time: this.activeMs, busy: this.busyMs }],
        },
      ],
      interfaces: [{ name: 'up0v0', uptime: this.uptimeS, ssids: [ssid] }],
    }
  }
}

interface PeerOptions {
  port: number
  serial: string
  ca?: string
  cert?: string
  key?: string
  /** Without TLS. */
  isPlain?: boolean
  radio?: PeerRadio
  /** What it answers to a command other than `request`; undefined: nothing. */
  answer?: (request: PeerRequest) => messages.PeerStatus | undefined
  /** Whether it sends its state when it is asked for it. */
  isSilent?: boolean
  isCompressing?: boolean
}

/** A test peer: an access point with uCentral, as public documents describe it. See README.md. */
export class UcentralPeer {
  readonly socket: WebSocket
  readonly serial: string
  readonly radio: PeerRadio
  readonly received: PeerRequest[] = []
  readonly #options: PeerOptions
  closed: { code: number; reason: string } | undefined
  failure: string | undefined

  private constructor(options: PeerOptions) {
    const { port, serial, ca, cert, key, isPlain = false } = options
    this.#options = options
    this.serial = serial
    this.radio = options.radio ?? new PeerRadio('02:00:00:00:00:00')
    this.socket = new WebSocket(`${isPlain ? 'ws' : 'wss'}://localhost:${port}/`, 'ucentral-broker', {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    })
    this.socket.on('message', (data: RawData) => this.#receive(JSON.parse((data as Buffer).toString('utf8'))))
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    this.socket.on('error', ({ message }) => {
      this.failure ??= message
    })
  }

  /** Sends `connect` once the connection is open. */
  static start(options: PeerOptions): UcentralPeer {
    const peer = new UcentralPeer(options)
    peer.socket.once('open', () => peer.send(messages.connect(options.serial)))
    return peer
  }

  /** Opens the connection and sends nothing. */
  static silent(options: PeerOptions): UcentralPeer {
    return new UcentralPeer(options)
  }

  send(text: string): void {
    this.socket.send(text)
  }

  /** Resolves when the gateway has received what was sent before, or has closed the connection. */
  async hasArrived(): Promise<void> {
    const ended = Promise.withResolvers<void>()
    const end = () => ended.resolve()
    this.socket.on('pong', end).on('close', end)
    if (this.closed) end()
    else this.socket.ping()
    await ended.promise
    this.socket.off('pong', end).off('close', end)
  }

  sendState(): void {
    const make = this.#options.isCompressing ? messages.compressedState : messages.state
    this.send(make(this.serial, this.radio.document))
  }

  get methods(): string[] {
    return this.received.map(({ method }) => method)
  }

  stop(): void {
    this.socket.terminate()
  }

  #receive(request: PeerRequest): void {
    this.received.push(request)
    const { method, id } = request
    if (method === 'request') {
      if (this.#options.isSilent) return
      this.send(messages.answer(this.serial, id, { error: 0, text: 'success' }))
      this.sendState()
      return
    }
    const status = this.#options.answer?.(request)
    if (status) this.send(messages.answer(this.serial, id, status))
  }
}
