import type { Json } from '../json.ts'
import { Allowance, type AllowanceLimits } from './allowance.ts'
import { type Introduction, introductionIn } from './notifications.ts'
import type { Session } from './session.ts'

/** What the listener asks and tells about one access point. */
export interface DeviceHandler {
  readonly serial: string
  /** The common name of its certificate. */
  readonly certificateName: string
  onConnected(session: Session, introduction: Introduction): void
  onNotification(method: string, params: Json): void
  onDisconnected(session: Session, reason: string): void
}

interface Connected {
  session: Session
  introduction: Introduction
}

/** The access points of a gateway that may connect, by serial number. */
export class UcentralDevices {
  readonly #limits: Partial<AllowanceLimits>
  readonly #handlers = new Map<string, DeviceHandler>()
  readonly #connected = new Map<string, Connected>()
  /** Of each access point over all its connections: a new one must not have more. */
  readonly #allowances = new Map<string, Allowance>()
  /** Why they cannot connect, or where they can. */
  listening = 'This gateway does not listen for them.'

  constructor(limits: Partial<AllowanceLimits> = {}) {
    this.#limits = limits
  }

  /** A driver that replaces another one of the same access point takes over its connection. */
  add(handler: DeviceHandler): void {
    const { serial } = handler
    this.#handlers.set(serial, handler)
    if (!this.#allowances.has(serial)) this.#allowances.set(serial, Allowance.ofAccessPoint(this.#limits))
    const connected = this.#connected.get(serial)
    if (connected) handler.onConnected(connected.session, connected.introduction)
  }

  /** Has no effect if the driver has been replaced. */
  remove(handler: DeviceHandler): void {
    const { serial } = handler
    if (this.#handlers.get(serial) !== handler) return
    this.#handlers.delete(serial)
    this.#allowances.delete(serial)
    this.#connected.get(serial)?.session.close('the gateway no longer serves this access point')
  }

  handlerOf(serial: string): DeviceHandler | undefined {
    return this.#handlers.get(serial)
  }

  /**
   * The newer connection of an access point counts: it may not have ended the one before, after a loss of power for example. `params`
   * are those of its message `connect`.
   */
  connect(serial: string, session: Session, params: Json): void {
    const before = this.#connected.get(serial)
    const introduction = introductionIn(params)
    this.#connected.set(serial, { session, introduction })
    const allowance = this.#allowances.get(serial)
    if (allowance) session.accept(allowance)
    before?.session.close('the access point has connected again')
    this.#handlers.get(serial)?.onConnected(session, introduction)
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
