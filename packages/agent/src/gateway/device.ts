import { type Technology, technologies } from '@manc/contract'
import type { AttachedClient } from '@manc/sdk/agent'
import type { DeviceCommands, Driver, DriverContext, Reading } from '../drivers/driver.ts'
import { driverKinds } from '../drivers/index.ts'
import type { Log } from '../log.ts'
import { InvalidSettings } from '../settings/invalid-settings.ts'
import type { AccessPointSettings } from '../settings/settings.ts'
import { boundedReading } from './bounded-reading.ts'

const commandTimeoutMs = 60_000

/** A driver with time limits. One that does not end in time is replaced, so that it cannot stop the readings for good. */
export class Device {
  readonly #open: () => Promise<Driver>
  readonly #timeoutMs: number
  readonly #log: Log
  #driver: Driver
  /** Of the schedule or of the command `report`: one at a time. */
  #reading: Promise<Reading> | undefined
  #failures = 0
  #isCutLogged = false
  #isClosed = false
  /** Commands that are being executed: the driver is not replaced meanwhile. */
  #executing = 0

  private constructor(driver: Driver, open: () => Promise<Driver>, timeoutMs: number, log: Log) {
    this.#driver = driver
    this.#open = open
    this.#timeoutMs = timeoutMs
    this.#log = log
  }

  static async open(
    { device, timeoutS, configuration }: AccessPointSettings,
    context: Omit<DriverContext, 'technology'>,
  ): Promise<Device> {
    const kind = driverKinds.get(device.driver)
    if (!kind) throw new InvalidSettings(`There is no driver "${device.driver}". Write another.`)
    const open = () => kind.open(device, { ...context, technology: technologyOf(configuration) })
    return new Device(await open(), open, timeoutS * 1000, context.log)
  }

  get commands(): DeviceCommands {
    return this.#driver.commands
  }

  get missing(): readonly string[] {
    return this.#driver.missing ?? []
  }

  get canWatchClients(): boolean {
    return this.#driver.watchClients !== undefined
  }

  /**
   * Rejects if the device cannot be read. The first failure and the recovery are logged. Callers at the same time share one
   * reading.
   */
  read(signal: AbortSignal): Promise<Reading> {
    this.#reading ??= this.#readOnce(signal).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readOnce(signal: AbortSignal): Promise<Reading> {
    try {
      const reading = await this.#within(this.#timeoutMs, signal, (limited) => this.#driver.read(limited))
      if (this.#failures > 0) this.#log('info', 'device readable again', { failed_readings: this.#failures })
      this.#failures = 0
      const { isCut, ...bounded } = boundedReading(reading)
      if (isCut && !this.#isCutLogged)
        this.#log('warn', 'a part of the reading is left out', {
          next: 'read fewer values: a sample has at most 256, with names of at most 128 characters, and 5000 clients',
        })
      this.#isCutLogged ||= isCut
      return bounded
    } catch (error) {
      if (signal.aborted) throw error
      this.#failures += 1
      if (this.#failures === 1)
        this.#log('warn', 'device cannot be read, will retry', { reason: reasonOf(error) })
      throw error
    }
  }

  async execute(name: string, args: readonly string[]): Promise<object> {
    const execute = this.#driver.execute?.bind(this.#driver)
    if (!execute) throw new Error(`The device has no command ${name}.`)
    this.#executing += 1
    try {
      return await this.#within(commandTimeoutMs, undefined, (limited) => execute(name, args, limited))
    } finally {
      this.#executing -= 1
    }
  }

  /** Resolves when it has failed; the caller retries. Readings report clients too, so a failure is not logged. */
  async watchClients(
    report: (clients: readonly AttachedClient[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#driver.watchClients?.(report, signal)
    } catch {
      // The next reading shows and logs what is wrong with the device.
    }
  }

  async discover(signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#driver.discover?.(signal)) ?? []
  }

  close(): void {
    this.#isClosed = true
    void closed(this.#driver)
  }

  /** Gives up although the driver does not. */
  async #within<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (limited: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const timeout = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let onAbort = () => {}
    const ended = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // Readings have a signal, commands do not.
        const more = signal ? ', or raise timeout_s' : ''
        const error = new Error(
          `no answer within ${timeoutMs / 1000} s. Check the device and the network to it${more}.`,
        )
        timeout.abort(error)
        reject(error)
      }, timeoutMs)
      onAbort = () => {
        timeout.abort(signal?.reason)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted) onAbort()
    })
    let isPending = true
    const working = work(timeout.signal).finally(() => {
      isPending = false
    })
    // Its later failure is of no interest.
    working.catch(() => {})
    try {
      return await Promise.race([working, ended])
    } catch (error) {
      // A driver that respects the signal ends at once.
      await Promise.race([working.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 50))])
      if (isPending && !signal?.aborted) await this.#replace()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #replace(): Promise<void> {
    if (this.#executing > 0) return
    const old = this.#driver
    try {
      this.#driver = await this.#open()
      void closed(old)
      // Closed meanwhile: it has closed the old one only.
      if (this.#isClosed) void closed(this.#driver)
    } catch {
      // The old one is used again.
    }
  }
}

/** It is given up whether or not it can be closed. */
async function closed(driver: Driver): Promise<void> {
  try {
    await driver.close()
  } catch {
    // Its sockets and processes have failed already.
  }
}

/** What the KPIs of its metrics depend on. */
export function technologyOf({ technology }: Record<string, unknown>): Technology {
  const text = String(technology).toLowerCase()
  return technologies.find((each) => each.toLowerCase() === text) ?? 'other'
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
