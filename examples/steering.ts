/**
 * An application that moves load off WiFi: it steers clients of an overloaded access point to 5G or LiFi nearby.
 * Use it as a template. README.md in this folder describes how to run it.
 */
import { type FleetAgent, Manc } from '@manc/sdk'

/** An access point counts as overloaded after `samples` above `abovePct`, until it is below `untilPct`. */
const overloaded = { abovePct: 80, untilPct: 60, samples: 3 }
/** Technologies that receive clients: their range, and the clients per handover. Above `targetBelowPct` they receive none. */
const targets = { '5G': { rangeM: 300, maxClients: 30 }, LiFi: { rangeM: 20, maxClients: 4 } }
const targetBelowPct = 50
/** Both access points pause after a handover, until its effect shows in their samples; longer after a failed one. */
const pauseMs = 3000
const longPauseMs = 30_000
/** The limit of one subscription. */
const maxWatched = 256

interface Point extends FleetAgent {
  position: { latitude: number; longitude: number }
  loadPct: number
  clients: number
  /** Consecutive overloaded samples. */
  high: number
  pausedUntil: number
}

const log = (line: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const stop = new AbortController()
const { signal } = stop
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

const manc = new Manc({
  url: setting('MANC_URL', 'the address of the controller, for example http://localhost:8080'),
  credentials: {
    loginType: 'third_party_app',
    username: setting('MANC_APP', 'the name of an application that an administrator has registered'),
    password: setting('MANC_KEY', 'its API key'),
  },
})

try {
  await manc.logIn()
  const points = await readFleet()
  const count = (technology: string) =>
    [...points.values()].filter((one) => one.technology === technology).length
  if (count('WiFi') === 0)
    throw new Error(
      'No WiFi access point is online. Start some, for example with npm run demo, then start this again.',
    )
  log(
    `watching ${count('WiFi')} WiFi access points, with ${count('5G')} of 5G and ${count('LiFi')} of LiFi around them`,
  )
  await watch(points)
} catch (error) {
  if (signal.aborted) log('stopped')
  else {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

/** Online access points with a known position. */
async function readFleet(): Promise<Map<string, Point>> {
  const points = new Map<string, Point>()
  // Emulated access points of others are listed only on request: those of the demo belong to its administrator.
  for await (const agent of manc.fleet.agents({ state: ['online'], emulated: 'all', signal })) {
    const { ap_id: id, position } = agent
    if (position && points.size < maxWatched)
      points.set(id, { ...agent, position, loadPct: Number.NaN, clients: 0, high: 0, pausedUntil: 0 })
  }
  return points
}

/** Processes all samples until it is stopped. */
async function watch(points: Map<string, Point>): Promise<void> {
  for await (const { agent_id: id, values } of manc.telemetry.watch([...points.keys()], { signal })) {
    const point = points.get(id)
    if (!point) continue
    point.loadPct = Number(values['load_pct'])
    point.clients = Number(values['clients'])
    if (point.technology !== 'WiFi') continue
    // Hysteresis: once overloaded, the load must fall below the lower threshold.
    const limit = point.high > 0 ? overloaded.untilPct : overloaded.abovePct
    point.high = point.loadPct > limit ? point.high + 1 : 0
    // Not awaited: samples keep arriving.
    if (point.high >= overloaded.samples && Date.now() > point.pausedUntil) void relieve(point, points)
  }
}

/** One decision: steers some clients to a neighbour, waits for the result and logs it. */
async function relieve(wifi: Point, points: Map<string, Point>): Promise<void> {
  const state = `${wifi.ap_id} is at ${wifi.loadPct} % with ${wifi.clients} clients`
  const [best] = neighboursOf(wifi, points)
  if (!best) {
    wifi.pausedUntil = Date.now() + longPauseMs
    return log(`${state}: no 5G or LiFi in range has capacity`)
  }
  const { target, distanceM, maxClients } = best
  const excess = Math.ceil(wifi.clients * (1 - overloaded.untilPct / wifi.loadPct))
  wifi.pausedUntil = target.pausedUntil = Number.POSITIVE_INFINITY
  try {
    const command = `steer_client ${target.ap_id} ${Math.min(maxClients, excess)}`
    const job = await manc.commands.send(wifi.ap_id, command, { signal })
    // Throws with the reason if the access point could not execute it.
    const { result } = await job.done()
    const { steered } = result as { steered: number }
    log(
      `${state}: ${steered} steered to ${target.ap_id} (${Math.round(distanceM)} m, load ${target.loadPct} %)`,
    )
    target.pausedUntil = Date.now() + pauseMs
  } catch (error) {
    // The next decision chooses another target.
    if (!signal.aborted) log(`${state}: steering to ${target.ap_id} failed. ${(error as Error).message}`)
    target.pausedUntil = Date.now() + longPauseMs
  }
  wifi.pausedUntil = Date.now() + pauseMs
}

/** 5G and LiFi access points in range with capacity, by load, then by distance. */
function neighboursOf(wifi: Point, points: Map<string, Point>) {
  return [...points.values()]
    .flatMap((target) => {
      const limits = targets[target.technology as keyof typeof targets]
      const distanceM = metresBetween(wifi.position, target.position)
      const isFree =
        limits &&
        distanceM <= limits.rangeM &&
        target.loadPct < targetBelowPct &&
        Date.now() > target.pausedUntil
      return isFree ? [{ target, distanceM, maxClients: limits.maxClients }] : []
    })
    .sort((a, b) => a.target.loadPct - b.target.loadPct || a.distanceM - b.distanceM)
}

/** Equirectangular approximation, accurate enough for these distances. */
function metresBetween(a: Point['position'], b: Point['position']): number {
  const metresADegree = 111_320
  const north = (a.latitude - b.latitude) * metresADegree
  const east = (a.longitude - b.longitude) * metresADegree * Math.cos((a.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}

function setting(name: string, what: string): string {
  const value = process.env[name]
  if (value) return value
  process.stderr.write(`${name} is not set. It is ${what}; npm run demo prints the whole command.\n`)
  process.exit(2)
}
