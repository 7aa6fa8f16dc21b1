import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../log.ts'
import type { Json } from '../json.ts'
import { type ConnectingLimits, ConnectingPeers } from './connecting.ts'
import { serialOf, type UcentralDevices } from './devices.ts'
import { limitedLog } from './limited-log.ts'
import { listenAdvice, serialAdvice, tlsAdvice } from './listener-advice.ts'
import type { ListenerOptions } from './listener-settings.ts'
import { commonNameOf, isSameButCertificate, listening, secureOptions } from './listener-tls.ts'
import { maxMessageBytes } from './messages.ts'
import { Session } from './session.ts'

interface Limits extends ConnectingLimits {
  /** For TLS. */
  handshakeMs: number
  maxConnections: number
}

/** A gateway has at most 1,000 access points. The other connections are those that are connecting. */
const usualLimits: Limits = {
  handshakeMs: 10_000,
  connectMs: 10_000,
  maxConnections: 1300,
  maxConnecting: 200,
  maxConnectingOfOne: 4,
}
const retryMs = 5000

/** The WebSocket server for all access points of a gateway that have the driver `ucentral`. */
export class UcentralListener {
  readonly #devices: UcentralDevices
  readonly #log: Log
  readonly #refusals: Log
  readonly #limits: Limits
  #options: ListenerOptions | undefined
  #server: Server | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #connecting: ConnectingPeers

  constructor(devices: UcentralDevices, log: Log, limits: Partial<Limits> = {}) {
    this.#devices = devices
    this.#log = log
    this.#refusals = limitedLog(log)
    this.#limits = { ...usualLimits, ...limits }
    this.#connecting = new ConnectingPeers(this.#limits)
  }

  /** The port that it listens on; undefined while it does not. */
  get port(): number | undefined {
    const address = this.#server?.address()
    return typeof address === 'object' && address !== null ? address.port : undefined
  }

  /** A new certificate of the gateway is used for new connections; after other changes all access points connect again. */
  async apply(options: ListenerOptions | undefined): Promise<void> {
    const before = this.#options
    if (isDeepStrictEqual(before, options)) return
    this.#options = options
    if (before && options && this.#server?.listening && isSameButCertificate(before, options)) {
      this.#server.setSecureContext(secureOptions(options))
      this.#log('info', 'certificate for access points replaced')
      return
    }
    await this.#stop('the gateway changes its settings')
    if (options) await this.#start(options)
  }

  async close(): Promise<void> {
    this.#options = undefined
    await this.#stop('the gateway stops')
  }

  /** A port that is in use may become free. */
  async #start(options: ListenerOptions): Promise<void> {
    const host = options.address ?? '*'
    const server = this.#newServer(options)
    try {
      await listening(server, options)
      // Changed meanwhile.
      if (this.#options !== options) return void server.close()
      this.#server = server
      // A connection that cannot be accepted, without file descriptors for example, does not end the gateway.
      server.on('error', ({ message }) =>
        this.#refusals('error', 'a connection was not accepted', { reason: message }),
      )
      const where = `${host}:${this.port}`
      this.#devices.listening = `This gateway listens on ${where}.`
      this.#log('info', 'listening for access points', {
        address: where,
        ...(options.ca === undefined && { without_certificates: true }),
      })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const where = `${host}:${options.port}`
      this.#devices.listening = `This gateway cannot listen on ${where}: ${code ?? message}.`
      this.#log('error', 'cannot listen for access points, will retry', {
        address: where,
        reason: code ?? message,
        next: listenAdvice(code),
      })
      this.#retry = setTimeout(() => {
        // Its failures are logged here.
        if (this.#options === options) void this.#start(options)
      }, retryMs)
      this.#retry.unref()
    }
  }

  async #stop(reason: string): Promise<void> {
    clearTimeout(this.#retry)
    const server = this.#server
    this.#server = undefined
    this.#devices.listening = 'This gateway does not listen for them.'
    if (!server) return
    this.#devices.closeAll(reason)
    this.#connecting.destroyAll()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    // Connections that were upgraded end by themselves within a second.
    server.unref()
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2000).unref())])
  }

  #newServer(options: ListenerOptions): Server {
    const server = createServer(
      {
        ...secureOptions(options),
        minVersion: 'TLSv1.2',
        handshakeTimeout: this.#limits.handshakeMs,
        maxHeaderSize: 8192,
      },
      (_request, response) => {
        response
          .writeHead(426, { Connection: 'close', Upgrade: 'websocket' })
          .end('This port is for WebSockets.\n')
      },
    )
    server.maxConnections = this.#limits.maxConnections
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      autoPong: false,
    })
    server.on('tlsClientError', (error, socket) => {
      // Of a certificate that is not accepted, Node.js reports only that the socket was closed.
      this.#refuse(
        socket,
        undefined,
        `TLS failed: ${String(socket.authorizationError ?? error.message)}`,
        tlsAdvice,
      )
    })
    server.on('drop', (dropped) =>
      this.#refuse(
        dropped,
        undefined,
        `all ${this.#limits.maxConnections} connections are in use`,
        'find out which addresses open them, and let only access points reach the port',
      ),
    )
    server.on('secureConnection', (socket) => this.#limit(socket))
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        this.#opened(webSocket, socket as TLSSocket),
      )
    })
    return server
  }

  /** It has to be accepted before its deadline. */
  #limit(socket: TLSSocket): void {
    const identity = (this.#options?.ca !== undefined && commonNameOf(socket)) || (socket.remoteAddress ?? '')
    const problem = this.#connecting.add(socket, identity, () => {
      this.#refuse(
        socket,
        undefined,
        'it has not sent "connect" in time',
        'check that it is an access point with uCentral',
      )
      socket.destroy()
    })
    if (problem === undefined) return
    this.#refuse(socket, undefined, problem, 'let it connect later')
    socket.destroy()
  }

  #opened(webSocket: WebSocket, socket: TLSSocket): void {
    let serial: string | undefined
    const session = new Session(webSocket, {
      onNotification: (method, params) => {
        if (serial === undefined) {
          if (method === 'connect') serial = this.#identify(session, socket, params)
        } else if (params['serial'] !== undefined && serialIn(params) !== serial) {
          this.#refuse(
            socket,
            serial,
            'it has sent a message with another serial number',
            'check its firmware',
          )
          session.close('another serial number')
        } else this.#devices.notify(serial, session, method, params)
      },
      onClosed: (reason) => {
        if (serial !== undefined) this.#devices.disconnect(serial, session, reason)
      },
    })
  }

  /** The serial number if it may connect. Its name must be that of its certificate: another access point has one too. */
  #identify(session: Session, socket: TLSSocket, params: Json): string | undefined {
    const serial = serialIn(params)
    const handler = this.#devices.handlerOf(serial)
    const close = (reason: string, next: string) => {
      this.#refuse(socket, serial, reason, next)
      session.close(reason)
      return undefined
    }
    if (!handler) return close('its serial number is not in the settings', serialAdvice(serial))
    if (this.#options?.ca !== undefined) {
      const name = commonNameOf(socket)
      if (name !== handler.certificateName)
        return close(
          'its certificate has another name than its serial number',
          `check the access point; if its certificate has the name "${name}", write "certificate_name" to its device`,
        )
    }
    this.#connecting.remove(socket)
    this.#devices.connect(serial, session, params)
    return serial
  }

  #refuse(
    socket: { remoteAddress?: string | undefined } | undefined,
    serial: string | undefined,
    reason: string,
    next: string,
  ): void {
    this.#refusals('warn', 'connection of an access point refused', {
      address: socket?.remoteAddress ?? 'unknown',
      ...(serial !== undefined && { serial }),
      reason,
      next,
    })
  }
}

/** More than 64 characters are no serial number of the settings. */
const serialIn = ({ serial }: Json): string =>
  typeof serial === 'string' && serial.length <= 64 ? serialOf(serial.toWellFormed()) : ''
