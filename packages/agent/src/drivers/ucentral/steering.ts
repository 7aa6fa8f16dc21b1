import { setTimeout as sleep } from 'node:timers/promises'
import { macPattern } from '../hostapd/link.ts'
import { reportOf } from '../hostapd/neighbour-report.ts'
import { isNewVisit, type Neighbour } from '../neighbours.ts'
import { type Link, rrm } from './commands.ts'
import type { Bss, State, Station } from './state.ts'

/** A state that was asked for takes some seconds on a small access point. */
const arriveWithinMs = 20_000
const pollMs = 1000

export interface SteeringLink extends Link {
  /** Of the newest state. */
  readonly bsss: readonly Bss[]
  /** As the access point has them now. */
  stations(signal: AbortSignal): Promise<readonly Station[]>
}

interface Target extends Neighbour {
  apId: string
}

class TargetDoesNotAnswer extends Error {}

/**
 * Asks a station to move [IEEE 802.11v, BSS transition], and reports whether it did: once it is associated at the target, or, of a
 * target of another gateway, once it is no longer here. uCentral does not pass the answers of stations on.
 */
export async function steer(
  link: SteeringLink,
  client: string,
  target: Target,
  signal: AbortSignal,
  withinMs = arriveWithinMs,
): Promise<object> {
  const address = client.toLowerCase()
  if (!macPattern.test(address))
    throw new Error('The client is no MAC address. Name a client of this access point.')
  const station = (await link.stations(signal)).find((each) => each.address === address)
  if (!station)
    throw new Error('The client is not attached to this access point. Send the command where it is.')
  const base = { client, to: target.apId }
  try {
    const find = finderAt(target, address, withinMs, signal)
    const earlier = await find?.(performance.now() + withinMs)
    const startedMs = performance.now()
    const neighbors = candidatesOf(target, link.bsss.find(({ bssid }) => bssid === station.bssid)?.ssid)
    await rrm(link, [{ action: 'bss_transition', addr: address, neighbors }], signal)
    const deadlineMs = startedMs + withinMs
    const isThere = async () =>
      find
        ? isNewVisit(await find(deadlineMs), earlier)
        : !(await link.stations(signal)).some((each) => each.address === address)
    if (!(await arrives(isThere, deadlineMs, signal)))
      return stayed(base, 'The client did not arrive at the target.')
    const durationMs = Math.round(performance.now() - startedMs)
    return { ...base, moved: true, duration_ms: durationMs, text: `moved after ${durationMs} ms` }
  } catch (error) {
    if (error instanceof TargetDoesNotAnswer)
      return stayed(base, `The target ${target.apId} does not answer.`)
    throw error
  }
}

/** A station stays in its network: of a target with several, those BSSs with the same name. */
function candidatesOf({ bssid, bsss = [] }: Target, ssid: string | undefined): string[] {
  const same = bsss.filter((each) => each.ssid === ssid).map((each) => each.bssid)
  return same.length > 0 ? same.slice(0, 16) : [bssid]
}

async function arrives(
  isThere: () => Promise<boolean>,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    if (await isThere()) return true
    if (performance.now() >= deadlineMs) return false
    await sleep(pollMs, undefined, { signal })
  }
}

/** How to look for a station at the target. Its last answer before the deadline may take a quarter of the time more. */
function finderAt(
  { findStation }: Target,
  address: string,
  withinMs: number,
  signal: AbortSignal,
): ((deadlineMs: number) => ReturnType<NonNullable<Target['findStation']>>) | undefined {
  return (
    findStation &&
    (async (deadlineMs) => {
      const late = AbortSignal.timeout(Math.ceil(Math.max(deadlineMs - performance.now(), withinMs / 4)))
      try {
        return await findStation(address, AbortSignal.any([signal, late]))
      } catch (error) {
        throw late.aborted && !signal.aborted ? new TargetDoesNotAnswer() : error
      }
    })
  )
}

const stayed = (base: object, cause: string) => ({
  ...base,
  moved: false,
  cause,
  text: `not moved: ${cause}`,
})

/** How this access point is described to others. Of several BSSs, one of 5 GHz. */
export function neighbourOf({ bsss, radios }: State): Neighbour | undefined {
  const described = bsss.flatMap(({ bssid, radio }) => {
    const { channel, frequencyMhz } = radios[radio ?? -1] ?? {}
    const report = bssid === '' ? undefined : reportOf({ bssid, channel, frequencyMhz })
    return report === undefined ? [] : [{ bssid, report, isHigh: (frequencyMhz ?? 0) > 5000 }]
  })
  const best = described.find(({ isHigh }) => isHigh) ?? described[0]
  return (
    best && {
      bssid: best.bssid,
      report: best.report,
      bsss: bsss.flatMap(({ bssid, ssid = '' }) => (bssid === '' ? [] : [{ bssid, ssid }])),
    }
  )
}
