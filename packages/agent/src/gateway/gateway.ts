import { isDeepStrictEqual } from 'node:util'
import type { TlsOptions } from '@manc/sdk/agent'
import { Neighbours } from '../drivers/neighbours.ts'
import { UcentralDevices } from '../drivers/ucentral/devices.ts'
import { UcentralListener } from '../drivers/ucentral/listener.ts'
import { log } from '../log.ts'
import { InvalidSettings } from '../settings/invalid-settings.ts'
import type { AccessPointSettings, Settings } from '../settings/settings.ts'
import { AccessPoint, type Shared } from './access-point.ts'
import { reasonOf } from './device.ts'
import { Slots } from './slots.ts'

const stopWithinMs = 5000
const enrolmentsAtOnce = 4
/** Of each access point: their logins are spread so that a controller can serve them. */
const startSpreadMs = 25

interface Running {
  settings: AccessPointSettings
  shared: Shared
  accessPoint: AccessPoint
}

/** Totals over its access points. */
interface Totals {
  waiting: number
  dropped: number
  set_aside: number
}

/** Access points of one process. They share nothing but slots for readings and the port that some connect to: a failing one does not affect the others. */
export class Gateway {
  readonly #running = new Map<string, Running>()
  readonly #neighbours = new Neighbours()
  readonly #ucentral = new UcentralDevices()
  readonly #listener = new UcentralListener(this.#ucentral, log)
  #slots: { size: number; slots: Shared['slots'] } | undefined
  readonly #enrolments = new Slots(enrolmentsAtOnce)
  /** One change of the settings after the other. */
  #changing: Promise<unknown> = Promise.resolve()

  get size(): number {
    return this.#running.size
  }

  get totals(): Totals {
    const all = [...this.#running.values()].map(({ accessPoint }) => accessPoint)
    const sum = (count: (each: AccessPoint) => number) => all.reduce((total, each) => total + count(each), 0)
    return {
      waiting: sum(({ waiting }) => waiting),
      dropped: sum(({ dropped }) => dropped),
      set_aside: sum(({ setAside }) => setAside),
    }
  }

  /** Starts what is new, stops what is gone, replaces what has changed. The others go on. Returns what could not start. */
  apply(settings: Settings, tls: TlsOptions | undefined): Promise<InvalidSettings[]> {
    return this.#inTurn(() => this.#apply(settings, tls))
  }

  /** Sends one sample of each. False if the controller does not have all of them; the others are kept. */
  async once(
    settings: Settings,
    tls: TlsOptions | undefined,
    { withinMs, signal }: { withinMs: number; signal: AbortSignal },
  ): Promise<boolean> {
    const shared = this.#shared(settings, tls)
    const outcomes = settings.accessPoints.map(async (each) => {
      const accessPoint = await AccessPoint.open(each, shared)
      this.#running.set(keyOf(each), { settings: each, shared, accessPoint })
      try {
        return await shared.slots.others.run(() => accessPoint.once(withinMs, signal))
      } catch (error) {
        log('error', 'no sample', { ap_id: accessPoint.apId, reason: reasonOf(error) })
        return false
      }
    })
    await this.#listener.apply(settings.ucentral)
    return (await Promise.all(outcomes)).every(Boolean)
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      // First: a device that connects again would find its access point stopped, and be refused as unknown.
      await this.#listener.close()
      await Promise.all([...this.#running.values()].map(({ accessPoint }) => accessPoint.stop(stopWithinMs)))
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#changing.then(work)
    this.#changing = turn.catch(() => {})
    return turn
  }

  async #apply(settings: Settings, tls: TlsOptions | undefined): Promise<InvalidSettings[]> {
    const shared = this.#shared(settings, tls)
    const wanted = new Map(settings.accessPoints.map((each) => [keyOf(each), each]))
    const gone = [...this.#running].filter(
      ([key, { settings: before, shared: sharedBefore }]) =>
        !isDeepStrictEqual(wanted.get(key), before) || !isSameController(shared, sharedBefore),
    )
    await Promise.all(gone.map(([key]) => this.#stopOne(key)))
    const added = [...wanted].filter(([key]) => !this.#running.has(key))
    const problems: InvalidSettings[] = []
    await Promise.all(
      added.map(async ([key, each]) => {
        try {
          const accessPoint = await AccessPoint.open(each, shared)
          this.#running.set(key, { settings: each, shared, accessPoint })
          accessPoint.start(spreadMs(wanted.size, each))
        } catch (error) {
          problems.push(
            error instanceof InvalidSettings
              ? error
              : new InvalidSettings(`${each.apId ?? ''}: ${reasonOf(error)}`),
          )
        }
      }),
    )
    // After them: it refuses access points that are not known.
    await this.#listener.apply(settings.ucentral)
    for (const { message } of problems) log('error', 'access point not started', { reason: message })
    if (wanted.size > 1 || gone.length > 0)
      log('info', 'settings applied', {
        access_points: this.size,
        started: added.length - problems.length,
        stopped: gone.length,
      })
    return problems
  }

  async #stopOne(key: string): Promise<void> {
    const running = this.#running.get(key)
    this.#running.delete(key)
    await running?.accessPoint.stop(stopWithinMs)
  }

  #shared({ url, mqttUrl, concurrency }: Settings, tls: TlsOptions | undefined): Shared {
    this.#slots ??= {
      size: concurrency,
      slots: { readable: new Slots(concurrency), others: new Slots(concurrency) },
    }
    const { size, slots } = this.#slots
    for (const each of Object.values(slots)) each.resize(concurrency - size)
    this.#slots.size = concurrency
    return {
      url,
      mqttUrl,
      tls,
      neighbours: this.#neighbours,
      ucentral: this.#ucentral,
      slots,
      enrolments: this.#enrolments,
    }
  }
}

/** The only one of a file without a list has its name from its network card. */
const keyOf = ({ apId }: AccessPointSettings) => apId ?? ''

const isSameController = (a: Shared, b: Shared) =>
  a.url === b.url && a.mqttUrl === b.mqttUrl && isDeepStrictEqual(a.tls, b.tls)

const spreadMs = (count: number, { intervalS }: AccessPointSettings) =>
  count === 1 ? 0 : Math.max(intervalS * 1000, count * startSpreadMs)
