import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectedAgent, connectAgent, type TlsOptions } from '@manc/sdk/agent'
import manifest from '../../package.json' with { type: 'json' }
import { Commands } from '../commands.ts'
import type { Neighbours } from '../drivers/neighbours.ts'
import type { UcentralDevices } from '../drivers/ucentral/devices.ts'
import { type Log, logWith } from '../log.ts'
import { InvalidSettings } from '../settings/invalid-settings.ts'
import type { AccessPointSettings } from '../settings/settings.ts'
import { Device, reasonOf } from './device.ts'
import { enrol } from './enrol.ts'
import { type Identity, IdentityFile } from './identity.ts'
import { Schedule } from './schedule.ts'
import type { Slots } from './slots.ts'
import { Wait } from './wait.ts'

/** What the access points of a gateway share. */
export interface Shared {
  url: string
  mqttUrl: string | undefined
  tls: TlsOptions | undefined
  neighbours: Neighbours
  ucentral: UcentralDevices
  /** For readings of devices whose last reading succeeded, and of the others: those must not delay these. */
  slots: { readable: Slots; others: Slots }
  /** For registrations: each costs the controller a password hash. */
  enrolments: Slots
}

const watchPauseMs = 5000
const restartMs = 60_000
/** A rate needs two readings. */
const firstReadingMs = 1000

/** One access point with its own identity, buffer of samples, connection, presence and commands. */
export class AccessPoint {
  readonly #settings: AccessPointSettings
  readonly #shared: Shared
  readonly #log: Log
  readonly #device: Device
  readonly #commands: Commands
  readonly #identity: Identity
  readonly #stopping = new AbortController()
  readonly #wait: Wait
  #agent: ConnectedAgent | undefined
  #running: Promise<void> | undefined

  private constructor(
    settings: AccessPointSettings,
    shared: Shared,
    identity: Identity,
    device: Device,
    wait: Wait,
    log: Log,
  ) {
    this.#settings = settings
    this.#shared = shared
    this.#identity = identity
    this.#device = device
    this.#wait = wait
    this.#log = log
    this.#commands = new Commands(
      settings.commands,
      async () => {
        const { readings } = await this.#device.read(this.#stopping.signal)
        this.#agent?.record(readings)
        return readings
      },
      device,
    )
  }

  /** Throws `InvalidSettings` if it cannot run with these settings on this machine. */
  static async open(settings: AccessPointSettings, shared: Shared): Promise<AccessPoint> {
    const identity = identityOf(settings)
    const log = logWith({ ap_id: identity.apId })
    const wait = new Wait()
    const { neighbours, ucentral } = shared
    const device = await Device.open(settings, {
      apId: identity.apId,
      neighbours,
      ucentral,
      log,
      onReadable: () => wait.end(),
    })
    return new AccessPoint(settings, shared, identity, device, wait, log)
  }

  get apId(): string {
    return this.#identity.apId
  }

  get waiting(): number {
    return this.#agent?.waiting ?? 0
  }

  get dropped(): number {
    return this.#agent?.dropped ?? 0
  }

  get setAside(): number {
    return this.#agent?.setAside ?? 0
  }

  /** Reads and sends until it is stopped. The first reading is within `spreadMs`. */
  start(spreadMs: number): void {
    this.#running = this.#keepRunning(spreadMs)
  }

  /** Sends one sample. False if the controller does not have it within the time; it is kept then, if it could be measured. */
  async once(withinMs: number, ending: AbortSignal): Promise<boolean> {
    const limit = AbortSignal.any([ending, AbortSignal.timeout(withinMs)])
    limit.addEventListener('abort', () => this.#stopping.abort(), { once: true })
    if (limit.aborted) this.#stopping.abort()
    const { signal } = this.#stopping
    await this.#connect()
    if (!this.#agent) return false
    await this.#device.read(signal)
    await pause(firstReadingMs, signal)
    const { readings } = await this.#device.read(signal)
    this.#agent.record(readings)
    await this.#agent.stop({ withinMs })
    return this.waiting === 0
  }

  /** Unsent samples and the password stay in its folder. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#agent?.stop({ withinMs })
    this.#device.close()
  }

  /** An error here is not one of the device: a full disk, for example. */
  async #keepRunning(spreadMs: number): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        return await this.#run(spreadMs)
      } catch (error) {
        this.#log('error', 'cannot run, will start again', { reason: reasonOf(error) })
        await this.#agent?.stop({ withinMs: 0 })
        this.#agent = undefined
        await pause(restartMs, signal)
      }
    }
  }

  async #run(spreadMs: number): Promise<void> {
    const { signal } = this.#stopping
    const { intervalS } = this.#settings
    const schedule = new Schedule(
      intervalS * 1000,
      spreadMs,
      Date.now() + Math.min(firstReadingMs, intervalS * 1000),
    )
    await pause(schedule.delayMs() / 2, signal)
    await this.#connect()
    if (signal.aborted) return
    const ending = new AbortController()
    const watching = this.#watchClients(AbortSignal.any([signal, ending.signal]))
    let isReadable = false
    try {
      while (!signal.aborted) {
        // A device that can be read again after a failure need not wait; others keep their interval.
        await (isReadable ? pause(schedule.delayMs(), signal) : this.#wait.until(schedule.delayMs(), signal))
        if (signal.aborted) break
        const slots: Slots = this.#shared.slots[isReadable ? 'readable' : 'others']
        isReadable = await slots.run(() => this.#measure())
        if (isReadable) schedule.succeeded()
        else schedule.failed()
      }
    } finally {
      ending.abort()
      await watching
    }
  }

  /** Registers first, if that is needed. */
  async #connect(): Promise<void> {
    const { url, mqttUrl, tls } = this.#shared
    const { keepMib, stateFolder } = this.#settings
    const configuration = {
      software_version: manifest.version,
      ...this.#settings.configuration,
      telemetry_interval_s: this.#settings.intervalS,
      commands: this.#commands.names,
    }
    await this.#register(configuration)
    if (this.#stopping.signal.aborted) return
    this.#agent = await connectAgent({
      url,
      ...(mqttUrl !== undefined && { mqttUrl }),
      ...(tls && { tls }),
      apId: this.apId,
      password: this.#identity.password,
      configuration,
      keep: { folder: path.join(stateFolder, 'samples'), bytes: keepMib * 1_048_576 },
      onProblem: ({ kind, message }) => this.#log('warn', message, { problem: kind }),
      onCommand: async ({ id, command }) => {
        // Arguments may name clients.
        this.#log('info', 'command received', { id, command: command.trim().split(/\s+/)[0] })
        return this.#commands.execute(command)
      },
    })
    this.#log('info', 'started', { url, ...(mqttUrl && { mqtt_url: mqttUrl }), waiting: this.waiting })
  }

  async #register(configuration: Record<string, unknown>): Promise<void> {
    const { enrolmentToken, stateFolder } = this.#settings
    const { signal } = this.#stopping
    if (this.#identity.isRegistered || enrolmentToken === undefined) return
    const { url, tls, enrolments } = this.#shared
    await enrolments.run(() =>
      enrol({ url, tls, enrolmentToken, identity: this.#identity, configuration, signal }),
    )
    if (signal.aborted) return
    new IdentityFile(stateFolder).save({ ...this.#identity, isRegistered: true })
    this.#log('info', 'registered')
  }

  async #measure(): Promise<boolean> {
    const { signal } = this.#stopping
    if (signal.aborted) return true
    // The device logs why it cannot be read.
    const reading = await this.#device.read(signal).catch(() => undefined)
    if (signal.aborted) return true
    if (!reading) return false
    const { readings, clients } = reading
    if (Object.keys(readings).length > 0) this.#agent?.record(readings)
    if (clients) this.#agent?.reportClients(clients)
    return true
  }

  async #watchClients(signal: AbortSignal): Promise<void> {
    if (!this.#device.canWatchClients) return
    while (!signal.aborted) {
      await this.#device.watchClients((clients) => this.#agent?.reportClients(clients), signal)
      await pause(watchPauseMs * (0.5 + Math.random()), signal)
    }
  }
}

function identityOf({ apId, password, enrolmentToken, stateFolder }: AccessPointSettings): Identity {
  if (apId !== undefined && password !== undefined) return { apId, password, isRegistered: true }
  const identity = new IdentityFile(stateFolder).open(apId)
  if (!identity.isRegistered && enrolmentToken === undefined)
    throw new InvalidSettings(
      `${identity.apId} is not registered. Write an enrolment_token to the settings; or its ap_id and password, once an administrator has registered it.`,
    )
  return identity
}

/** Ends early when it is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
