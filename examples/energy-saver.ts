/**
 * An application that saves energy. It puts an access point to sleep that has had little to do for a while, if a neighbour of
 * the same technology can serve its clients, and wakes it when that neighbour is busy, off or silent. When it is stopped, it
 * wakes all that it has put to sleep. After a SIGKILL they stay asleep: send them `wake`.
 *
 * Without --act it sends no command and prints what it would do. Scopes: agents:read and metrics:read; with --act also
 * commands:send. Register it in the sandbox first, where it sees emulated access points only:
 *
 *     npx manc apps register energy-saver --sandbox --scopes agents:read,metrics:read
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetAgent, Manc } from '@manc/sdk'

/** When an access point counts as idle, and up to which load a neighbour serves its clients too. */
const idle = { belowPct: 15, maxClients: 10, samples: 15, neighbourBelowPct: 40 }
/** A neighbour above this load, or without samples for this long, needs the access point again. */
const wake = { abovePct: 70, silentMs: 15_000 }
/** How far away a neighbour may be, in metres. */
const ranges: Record<string, number> = { '5G': 300, WiFi: 30, LiFi: 3 }
/** Between two decisions, until the effect of the first shows in the samples. */
const pauseMs = 5000
/** The limit of one subscription. */
const maxWatched = 256

interface Point extends FleetAgent {
  loadPct: number
  clients: number
  powerW: number
  isOn: boolean
  seenMs: number
  idleSamples: number
}
const unknown = { loadPct: Number.NaN, clients: 0, powerW: 0, isOn: false, seenMs: 0, idleSamples: 0 }

const { MANC_URL: url = '', MANC_APP: username = '', MANC_KEY: password = '' } = process.env
if (!url || !username || !password) {
  const next = 'Set the address of the controller, and the name and the API key of a registered application.'
  process.stderr.write(`MANC_URL, MANC_APP or MANC_KEY is not set. ${next}\n`)
  process.exit(2)
}
const isActing = process.argv.includes('--act')
const manc = new Manc({ url, credentials: { loginType: 'third_party_app', username, password } })
const stop = new AbortController()
const { signal } = stop
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

const points = new Map<string, Point>()
/** Access points that were put to sleep, each with the neighbour that serves its clients and therefore stays awake. */
const asleep = new Map<Point, Point>()
let deciding: Promise<void> | undefined

try {
  // Emulated access points of others are listed only on request: those of the demo belong to its administrator.
  for await (const agent of manc.fleet.agents({ state: ['online'], emulated: 'all', signal }))
    if (agent.position && points.size < maxWatched) points.set(agent.ap_id, { ...agent, ...unknown })
  if (points.size === 0)
    throw new Error(
      'No access point is online. Start some, for example with npm run demo, and start this again.',
    )
  log(`watching ${points.size} access points${isActing ? '' : '; without --act no command is sent'}`)
  await watch()
} catch (error) {
  if (!signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
stop.abort()
await deciding
await Promise.all([...asleep.keys()].map((point) => send(point, 'wake', 'this application ends')))
log('stopped')

/** Processes all samples until it is stopped, with one decision at a time. */
async function watch(): Promise<void> {
  for await (const { agent_id: id, values } of manc.telemetry.watch([...points.keys()], { signal })) {
    const point = points.get(id)
    if (!point) continue
    point.loadPct = Number(values['load_pct'])
    point.clients = Number(values['clients'])
    point.powerW = Number(values['power_w'] ?? 0)
    // An access point whose radio is off has an uptime of 0.
    point.isOn = Number(values['uptime_s']) > 0
    point.seenMs = Date.now()
    const isIdle = point.isOn && point.loadPct < idle.belowPct && point.clients <= idle.maxClients
    point.idleSamples = isIdle ? point.idleSamples + 1 : 0
    // Not awaited: samples keep arriving.
    deciding ??= decide(point)?.finally(() => {
      deciding = undefined
    })
  }
}

/** Undefined if there is nothing to do. */
function decide(point: Point): Promise<void> | undefined {
  for (const [sleeper, { ap_id: id, loadPct, isOn, seenMs }] of asleep) {
    if (loadPct > wake.abovePct) return send(sleeper, 'wake', `${id} is at ${loadPct} %`)
    if (!isOn) return send(sleeper, 'wake', `${id} is off`)
    if (Date.now() > seenMs + wake.silentMs) return send(sleeper, 'wake', `${id} sends no samples`)
  }
  const isNeeded = asleep.has(point) || [...asleep.values()].includes(point)
  if (isNeeded || point.idleSamples < idle.samples) return undefined
  const [near] = [...points.values()]
    .filter((other) => other !== point && other.technology === point.technology && !asleep.has(other))
    .filter((other) => other.isOn && other.loadPct < idle.neighbourBelowPct)
    .map((other) => ({ other, distanceM: metresBetween(point, other) }))
    .filter(({ distanceM }) => distanceM <= (ranges[point.technology] ?? 0))
    .sort((a, b) => a.distanceM - b.distanceM)
  if (!near) return undefined
  asleep.set(point, near.other)
  const neighbour = `${near.other.ap_id} at ${Math.round(near.distanceM)} m has a load of ${near.other.loadPct} %`
  return send(point, 'sleep', `${point.clients} clients, ${point.loadPct} %, ${point.powerW} W; ${neighbour}`)
}

async function send(point: Point, command: 'sleep' | 'wake', reason: string): Promise<void> {
  log(`${point.ap_id}: ${isActing ? '' : 'would '}${command} (${reason})`)
  const neighbour = asleep.get(point)
  try {
    if (isActing) await (await manc.commands.send(point.ap_id, command)).done()
    if (command === 'wake') asleep.delete(point)
  } catch (error) {
    // To the end: the others are woken before it is tried again.
    asleep.delete(point)
    if (neighbour) asleep.set(point, neighbour)
    // It may have been executed: the access point counts as asleep, and is woken later.
    const next = command === 'wake' ? ` Send it again: npx manc commands send ${point.ap_id} wake` : ''
    log(`${point.ap_id}: ${command} failed. ${(error as Error).message}${next}`)
  }
  point.idleSamples = 0
  await sleep(pauseMs, undefined, { signal }).catch(() => {})
}

/** Equirectangular approximation, accurate enough for these distances. */
function metresBetween({ position: a }: Point, { position: b }: Point): number {
  if (!a || !b) return Number.POSITIVE_INFINITY
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)
  return 111_320 * Math.hypot(a.latitude - b.latitude, east)
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}
