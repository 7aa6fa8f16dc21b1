/**
 * An application that hands clients over before their light is blocked. Where the blockages of a LiFi access point follow a
 * period, as those of a door or a machine do, it moves its clients to WiFi or 5G nearby shortly before the next one is due, so
 * that they change without a loss of connection. How long they stay there is up to them and the access points.
 *
 * Without --act it sends no command and prints what it would do. Scopes: agents:read and metrics:read; with --act also
 * commands:send. Register it in the sandbox first, where it sees emulated access points only:
 *
 *     npx manc apps register lifi-handover --sandbox --scopes agents:read,metrics:read
 */
import { type FleetAgent, Manc } from '@manc/sdk'

/** Two intervals between blockages that differ by less are a period. */
const toleranceMs = 3000
/** Handovers begin so long before a blockage is expected: time for the command and for the clients. */
const aheadMs = 4000
/** Technologies that receive clients, with their ranges in metres. Above `targetBelowPct` they receive none. */
const targets: Record<string, number> = { WiFi: 40, '5G': 300 }
const targetBelowPct = 70
/** The limit of one subscription. */
const maxWatched = 256

interface Point extends FleetAgent {
  loadPct: number
  clients: number
  isOn: boolean
  /** Undefined before the first sample: a blockage that began earlier has no known begin. */
  isBlocked: boolean | undefined
  /** When the last three blockages began, the newest first. */
  begins: number[]
  /** The expected blockage for which clients were handed over. */
  handledMs: number
}
const unknown = { loadPct: Number.NaN, clients: 0, isOn: false, isBlocked: undefined, handledMs: 0 }

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

try {
  const points = await readFleet()
  const lamps = [...points.values()].filter(({ technology }) => technology === 'LiFi').length
  if (lamps === 0)
    throw new Error(
      'No LiFi access point is online. Start some, for example with npm run demo, and start this again.',
    )
  log(
    `watching ${lamps} of LiFi and ${points.size - lamps} others${isActing ? '' : '; without --act no command is sent'}`,
  )
  await watch(points)
} catch (error) {
  if (signal.aborted) log('stopped')
  else {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

async function readFleet(): Promise<Map<string, Point>> {
  const points = new Map<string, Point>()
  // Emulated access points of others are listed only on request: those of the demo belong to its administrator.
  for await (const agent of manc.fleet.agents({ state: ['online'], emulated: 'all', signal }))
    if (agent.position && points.size < maxWatched)
      points.set(agent.ap_id, { ...agent, ...unknown, begins: [] })
  return points
}

/** Processes all samples until it is stopped. Times are those of the samples: clocks need not agree. */
async function watch(points: Map<string, Point>): Promise<void> {
  for await (const { agent_id: id, time, values } of manc.telemetry.watch([...points.keys()], { signal })) {
    const point = points.get(id)
    if (!point) continue
    const atMs = Date.parse(time)
    point.loadPct = Number(values['load_pct'])
    point.clients = Number(values['clients'])
    // An access point whose radio is off has an uptime of 0. Some do not measure it.
    point.isOn = Number(values['uptime_s']) !== 0
    if (point.technology !== 'LiFi') continue
    const isBlocked = Number(values['blockage']) > 0
    if (isBlocked && point.isBlocked === false) point.begins = [atMs, ...point.begins].slice(0, 3)
    point.isBlocked = isBlocked
    const nextMs = nextBlockage(point)
    const isDue = atMs >= nextMs - aheadMs && atMs < nextMs
    if (!isDue || isBlocked || point.clients === 0 || point.handledMs === nextMs) continue
    point.handledMs = nextMs
    // Not awaited: samples keep arriving.
    void handOver(point, points, `blockage expected in ${((nextMs - atMs) / 1000).toFixed(1)} s`)
  }
}

/** Not a number where no period is known. */
function nextBlockage({
  begins: [last = Number.NaN, second = Number.NaN, third = Number.NaN],
}: Point): number {
  const period = last - second
  return Math.abs(period - (second - third)) <= toleranceMs ? last + period : Number.NaN
}

async function handOver(lamp: Point, points: Map<string, Point>, reason: string): Promise<void> {
  const [target] = [...points.values()]
    .filter((other) => metresBetween(lamp, other) <= (targets[other.technology] ?? -1))
    .filter(({ isOn, loadPct }) => isOn && loadPct < targetBelowPct)
    .sort((a, b) => a.loadPct - b.loadPct)
  const { ap_id: id, clients: count } = lamp
  const about = `${id}: ${reason}`
  if (!target) return log(`${about}, but no WiFi or 5G in range has capacity for ${count} clients`)
  const to = `${target.ap_id} (load ${target.loadPct} %)`
  if (!isActing) return log(`${about}, would hand ${count} clients over to ${to}`)
  try {
    const job = await manc.commands.send(id, `steer_client ${target.ap_id} ${count}`)
    // Throws with the reason if the access point could not execute it.
    const { steered } = (await job.done()).result as { steered: number }
    log(`${about}, ${steered} of ${count} clients handed over to ${to}`)
  } catch (error) {
    if (!signal.aborted) log(`${about}, but the handover to ${to} failed. ${(error as Error).message}`)
  }
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
