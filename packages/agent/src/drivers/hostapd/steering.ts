import { setTimeout as sleep } from 'node:timers/promises'
import { isNewVisit, type Neighbour } from '../neighbours.ts'
import { type HostapdLink, macPattern, type Station, type TransitionAnswer } from './link.ts'

/** A station answers within half a second; one that scans first may take seconds. */
const answerWithinMs = 6000
const arriveWithinMs = 8000
const pollMs = 250
/** For one look at the stations of the target. */
const lookWithinMs = 10_000

/** Status codes of the answer [IEEE 802.11, table 9-428]. */
const causes: Record<number, string> = {
  1: 'The client refuses.',
  2: 'The client has received too few beacons.',
  3: 'The capacity of the candidates is not sufficient.',
  4: 'The client does not want this BSS to end.',
  5: 'The client asks for more time.',
  6: 'The client has its own candidates.',
  7: 'The client finds no suitable candidate.',
  8: 'The client leaves the network.',
}

type Visit = Pick<Station, 'connectedS'>

interface Target extends Neighbour {
  apId: string
}

/**
 * Asks a station to move [IEEE 802.11v, BSS transition], and reports what it did. Status 0 is a promise: it has moved once it is
 * associated at the target, or, of a target of another gateway, once it is no longer here.
 */
export async function steer(
  link: HostapdLink,
  client: string,
  target: Target,
  signal: AbortSignal,
): Promise<object> {
  const address = client.toLowerCase()
  if (!macPattern.test(address))
    throw new Error('The client is no MAC address. Name a client of this access point.')
  const [stations, before] = await Promise.all([link.stations(signal), look(target, address, signal)])
  const station = stations.find((each) => each.address === address)
  if (!station)
    throw new Error('The client is not attached to this access point. Send the command where it is.')
  const base = { client, to: target.apId }
  if (station.canTransition === false) return stayed(base, undefined, 'The client does not support 802.11v.')
  // The client is not asked: an access point that cannot be reached may have no network either, and an arrival could not be seen.
  const silence = `The target ${target.apId} does not answer.`
  if (before === 'silent') return stayed(base, undefined, silence)
  const startedMs = performance.now()
  const answer = await link.requestTransition(address, target, answerWithinMs, signal)
  if (answer?.status !== undefined && answer.status !== 0)
    return stayed(base, answer.status, causes[answer.status] ?? 'The client refuses.')
  const end = await arrives(link, address, { ...target, earlier: before?.visit }, answer, signal)
  const durationMs = Math.round(performance.now() - startedMs)
  if (end === 'silent') return stayed(base, answer?.status, silence)
  if (end === 'elsewhere')
    return stayed(
      base,
      answer?.status,
      answer ? 'The client did not arrive at the target.' : 'The client has not answered, and has not moved.',
    )
  // Its old access point would list it for minutes. If that cannot be changed, the client has moved nevertheless.
  await link.forget?.(address, signal).catch(() => {})
  return {
    ...base,
    moved: true,
    ...(answer?.status === 0 && { status: 0 }),
    duration_ms: durationMs,
    text: `moved after ${durationMs} ms`,
  }
}

async function arrives(
  link: HostapdLink,
  address: string,
  target: Target & { earlier: Visit | undefined },
  answer: TransitionAnswer | undefined,
  signal: AbortSignal,
): Promise<'arrived' | 'elsewhere' | 'silent'> {
  // Without an answer it has had that time already.
  const deadlineMs = performance.now() + (answer ? arriveWithinMs : pollMs)
  for (;;) {
    const found = await look(target, address, signal)
    if (found === undefined) {
      if (!(await link.stations(signal)).some((each) => each.address === address)) return 'arrived'
    } else if (found !== 'silent' && isNewVisit(found.visit, target.earlier)) return 'arrived'
    if (performance.now() >= deadlineMs) return found === 'silent' ? 'silent' : 'elsewhere'
    await sleep(pollMs, undefined, { signal })
  }
}

/**
 * The station in the list of the target. Undefined: the target is of another gateway. Silent: it has not answered in time, or cannot
 * be reached; the command has to end nevertheless.
 */
async function look(
  { findStation }: Target,
  address: string,
  signal: AbortSignal,
): Promise<{ visit: Visit | undefined } | 'silent' | undefined> {
  if (!findStation) return undefined
  const limited = AbortSignal.any([signal, AbortSignal.timeout(lookWithinMs)])
  let onAbort = () => {}
  // A session of hostapd_cli does not end with the signal.
  const ended = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(limited.reason as Error)
    limited.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return { visit: await Promise.race([findStation(address, limited), ended]) }
  } catch {
    signal.throwIfAborted()
    return 'silent'
  } finally {
    limited.removeEventListener('abort', onAbort)
  }
}

const stayed = (base: object, status: number | undefined, cause: string) => ({
  ...base,
  moved: false,
  ...(status !== undefined && { status }),
  cause,
  text:
    status === undefined || status === 0 ? `not moved: ${cause}` : `refused with status ${status}: ${cause}`,
})
