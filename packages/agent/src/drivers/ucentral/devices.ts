import type { Json } from '../json.ts'
import type { Session } from './session.ts'

/** What the listener asks and tells about one access point. */
export interface DeviceHandler {
  readonly serial: string
  /** The common name of its certificate. */
  readonly certificateName: string
  /** `params` are those of its message `connect`. */
  onConnected(session: Session, params: Json): void
  onNotification(method: string, params: Json): void
  onDisconnected(session: Session, reason: string): void
}

interface Connected {
  session: Session
  params: Json
}

/** The access points of a gateway that may connect, by serial number. */
export class UcentralDevices {
  readonly #handlers = new Map<string, DeviceHandler>()
  readonly #connected = new Map<string, Connected>()
  /** Why they cannot connect, or where they can. */
  listening = 'This gateway does not listen for them.'

  /** A driver that replaces another one of the same access point takes over its connection. */
  add(handler: DeviceHandler): void {
    this.#handlers.set(handler.serial, handler)
    const connected = this.#connected.get(handler.serial)
    if (connected) handler.onConnected(connected.session, connected.params)
  }

  /** Has no effect if the driver has been replaced. */
  remove(handler: DeviceHandler): void {
    const { serial } = handler
    if (this.#handlers.get(serial) !== handler) return
    this.#handlers.delete(serial)
    this.#connected.get(serial)?.session.close('the gateway no longer serves this access point')
  }

  handlerOf(serial: string): DeviceHandler | undefined {
    return this.#handlers.get(serial)
  }

  /** The newer connection of an access point counts: it may not have ended the one before, after a loss of power for example. */
  connect(serial: string, session: Session, params: Json): void {
    const before = this.#connected.get(serial)
    this.#connected.set(serial, { session, params })
    before?.session.close('the access point has connected again')
    this.#handlers.get(serial)?.onConnected(session, params)
  }

  notify(serial: string, session: Session, method: string, params: Json): void {
    if (this.#connected.get(serial)?.session === session)
      this.#handlers.get(serial)?.onNotification(method, params)
  }

  disconnect(serial: string, session: Session, reason: string): void {
    if (this.#connected.get(serial)?.session !== session) return
    this.#connected.delete(serial)
    this.#handlers.get(serial)?.onDisconnected(session, reason)
  }

  closeAll(reason: string): void {
    for (const { session } of this.#connected.values()) session.close(reason)
  }
}

/** Written with and without separators: a serial number is usually a MAC address. */
export const serialOf = (text: string): string => text.replaceAll(/[:.-]/g, '').toLowerCase()

/** Of a MAC address also without separators. */
export const certificateNameOf = (name: string): string =>
  /^([0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$/i.test(name) ? serialOf(name) : name.toLowerCase()
