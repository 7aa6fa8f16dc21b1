/**
 * An application that takes load off WiFi: where an access point is overloaded, it hands clients over to 5G or LiFi nearby.
 * Take it as a template. README.md beside it says how to run it.
 */
import { type FleetAgent, Manc } from '@manc/sdk'

/** An access point is overloaded above this load in per cent, for so many samples, until it is below the other. */
const overloaded = { abovePct: 80, untilPct: 60, samples: 3 }
/** Who takes clients: how far it reaches, and how many clients it gets at once. Above this load it gets none. */
const takers = { '5G': { reachM: 300, atOnce: 30 }, LiFi: { reachM: 20, atOnce: 4 } }
const roomBelowPct = 50
/** Both rest after a handover, until what it has changed shows in their samples; and for longer where there was none. */
const restMs = 3000
const longRestMs = 30_000
/** A subscription has no more. */
const mostWatched = 256

interface Point extends FleetAgent {
  position: { latitude: number; longitude: number }
  loadPct: number
  clients: number
  /** Samples in a row that were overloaded. */
  high: number
  restsUntil: number
}

const say = (line: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
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
  say(
    `watching ${count('WiFi')} WiFi access points, with ${count('5G')} of 5G and ${count('LiFi')} of LiFi around them`,
  )
  await watch(points)
} catch (error) {
  if (signal.aborted) say('stopped')
  else {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

/** Those that are there and say where they are. */
async function readFleet(): Promise<Map<string, Point>> {
  const points = new Map<string, Point>()
  for await (const agent of manc.fleet.agents({ state: ['online'], signal })) {
    const { ap_id: id, position } = agent
    if (position && points.size < mostWatched)
      points.set(id, { ...agent, position, loadPct: Number.NaN, clients: 0, high: 0, restsUntil: 0 })
  }
  return points
}

/** Follows all samples, until it is stopped. */
async function watch(points: Map<string, Point>): Promise<void> {
  for await (const { agent_id: id, values } of manc.telemetry.watch([...points.keys()], { signal })) {
    const point = points.get(id)
    if (!point) continue
    point.loadPct = Number(values['load_pct'])
    point.clients = Number(values['clients'])
    if (point.technology !== 'WiFi') continue
    // Once it is too much, it has to come down to the lower mark: else it would sway about one mark.
    const limit = point.high > 0 ? overloaded.untilPct : overloaded.abovePct
    point.high = point.loadPct > limit ? point.high + 1 : 0
    // Not waited for: samples go on meanwhile.
    if (point.high >= overloaded.samples && Date.now() > point.restsUntil) void relieve(point, points)
  }
}

/** One decision: hands some of the clients over to a neighbour, waits for the outcome, and says how it went. */
async function relieve(wifi: Point, points: Map<string, Point>): Promise<void> {
  const state = `${wifi.ap_id} is at ${wifi.loadPct} % with ${wifi.clients} clients`
  const [best] = neighboursOf(wifi, points)
  if (!best) {
    wifi.restsUntil = Date.now() + longRestMs
    return say(`${state}: no 5G or LiFi within reach has room`)
  }
  const { taker, distanceM, atOnce } = best
  const tooMany = Math.ceil(wifi.clients * (1 - overloaded.untilPct / wifi.loadPct))
  wifi.restsUntil = taker.restsUntil = Number.POSITIVE_INFINITY
  try {
    const command = `steer_client ${taker.ap_id} ${Math.min(atOnce, tooMany)}`
    const job = await manc.commands.send(wifi.ap_id, command, { signal })
    // Throws where the access point could not do it, with its reason.
    const { result } = await job.done()
    const { steered } = result as { steered: number }
    say(
      `${state}: ${steered} go to ${taker.ap_id}, ${Math.round(distanceM)} m away, which is at ${taker.loadPct} %`,
    )
    taker.restsUntil = Date.now() + restMs
  } catch (error) {
    // The next decision chooses another.
    if (!signal.aborted) say(`${state}: ${taker.ap_id} gets none. ${(error as Error).message}`)
    taker.restsUntil = Date.now() + longRestMs
  }
  wifi.restsUntil = Date.now() + restMs
}

/** 5G and LiFi within reach that have room, the least loaded first; of equals, the nearest. */
function neighboursOf(wifi: Point, points: Map<string, Point>) {
  return [...points.values()]
    .flatMap((taker) => {
      const kind = takers[taker.technology as keyof typeof takers]
      const distanceM = metresBetween(wifi.position, taker.position)
      const isFree =
        kind && distanceM <= kind.reachM && taker.loadPct < roomBelowPct && Date.now() > taker.restsUntil
      return isFree ? [{ taker, distanceM, atOnce: kind.atOnce }] : []
    })
    .sort((a, b) => a.taker.loadPct - b.taker.loadPct || a.distanceM - b.distanceM)
}

/** Flat, which is exact enough for neighbours. */
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
