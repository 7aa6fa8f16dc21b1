import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Certificate, TestCa } from '@manc/harness/tls'
import { expect } from 'vitest'
import type { Driver, DriverContext } from '../src/drivers/driver.ts'
import { Neighbours } from '../src/drivers/neighbours.ts'
import { UcentralDevices } from '../src/drivers/ucentral/devices.ts'
import { UcentralListener } from '../src/drivers/ucentral/listener.ts'
import type { ListenerOptions } from '../src/drivers/ucentral/listener-settings.ts'
import type { Log } from '../src/log.ts'
import { openDriver } from './drivers.ts'
import { PeerRadio, UcentralPeer } from './peers/ucentral-device.ts'

export const soon = { timeout: 60_000, interval: 50 }

/** Certificates of a gateway and of access points, made once for a suite. */
export class Certificates {
  readonly ca = new TestCa('MANC test gateway CA')
  readonly deviceCa = new TestCa('MANC test device CA')
  readonly gateway: Certificate = this.ca.issue('localhost')
  readonly #devices = new Map<string, Certificate>()

  /** Its common name is the serial number. */
  of(serial: string): Certificate {
    const known = this.#devices.get(serial) ?? this.deviceCa.issue(serial)
    this.#devices.set(serial, known)
    return known
  }

  get settings(): Record<string, unknown> {
    const { certFile, keyFile } = this.gateway
    return { cert_file: certFile, key_file: keyFile, client_ca_file: this.deviceCa.file }
  }

  get options(): ListenerOptions {
    const { cert, key } = this.gateway
    return { address: undefined, port: 0, cert, key, ca: this.deviceCa.pem }
  }

  remove(): void {
    this.ca.remove()
    this.deviceCa.remove()
  }
}

/** A listener with drivers and peers, which are closed together. */
export class UcentralWorld {
  readonly devices: UcentralDevices
  readonly neighbours = new Neighbours()
  readonly lines: string[] = []
  readonly listener: UcentralListener
  readonly #certificates: Certificates
  readonly #drivers: Driver[] = []
  readonly #peers: UcentralPeer[] = []
  #radios = 0

  private constructor(certificates: Certificates, limits: object, allowance: object) {
    this.devices = new UcentralDevices(allowance)
    this.#certificates = certificates
    this.listener = new UcentralListener(this.devices, this.log, limits)
  }

  static async open(
    certificates: Certificates,
    limits: object = {},
    allowance: object = {},
  ): Promise<UcentralWorld> {
    const world = new UcentralWorld(certificates, limits, allowance)
    await world.listener.apply(certificates.options)
    return world
  }

  readonly log: Log = (level, message, fields) =>
    this.lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`)

  async driver(serial: string, device: object = {}, context: Partial<DriverContext> = {}): Promise<Driver> {
    const { devices: ucentral, neighbours, log } = this
    const driver = await openDriver(
      { driver: 'ucentral', serial, ...device },
      { ucentral, neighbours, log, ...context },
      { ucentral: this.#certificates.settings },
    )
    this.#drivers.push(driver)
    return driver
  }

  /** An access point that connects with its own certificate. */
  peer(serial: string, more: object = {}): UcentralPeer {
    const peer = UcentralPeer.start(this.#options(serial, more))
    this.#peers.push(peer)
    return peer
  }

  /** One that is accepted. A busy machine may need longer for that than a reading waits. */
  async connected(serial: string, more: object = {}): Promise<UcentralPeer> {
    const count = () =>
      this.lines.filter((line) => line.includes(`point connected {"serial":"${serial}"`)).length
    const before = count()
    const peer = this.peer(serial, more)
    await expect.poll(count, soon).toBe(before + 1)
    return peer
  }

  /** It opens the connection and sends nothing. */
  silentPeer(serial: string, more: object = {}): UcentralPeer {
    const peer = UcentralPeer.silent(this.#options(serial, more))
    this.#peers.push(peer)
    return peer
  }

  #options(serial: string, more: object) {
    const { cert, key } = this.#certificates.of(serial)
    this.#radios += 1
    const radio = new PeerRadio(`02:00:00:00:${String(this.#radios).padStart(2, '0')}:00`)
    return { port: this.listener.port ?? 0, serial, ca: this.#certificates.ca.pem, cert, key, radio, ...more }
  }

  /** A file with a configuration of uCentral. */
  configuration(name: string, document: object): string {
    const file = path.join(this.#certificates.ca.folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(document))
    return file
  }

  async logged(text: string): Promise<void> {
    await expect.poll(() => this.lines.join('\n'), soon).toContain(text)
  }

  async close(): Promise<void> {
    for (const peer of this.#peers) peer.stop()
    for (const driver of this.#drivers) await driver.close()
    await this.listener.close()
  }
}
