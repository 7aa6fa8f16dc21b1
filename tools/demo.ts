/** What `npm run demo` has beside `npm run dev`: a network, and things to try. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EmulationNews,
  type EmulatorSpec,
  type Job,
  type JobNews,
  type Manc,
  MancError,
  NotFound,
} from '@manc/sdk'

/** The University of Bristol, and a hall of it. */
const campus = '51.4586,-2.6025'
const hall = '51.4590,-2.6018'

const all = { seed: 'demo', duration: 12 * 3600 }
const crowded = { num_devices: 260, scenario: 'steady' as const, ...all }
const network: EmulatorSpec[] = [
  // Crowded at any hour, so that there is always something to steer; all others have the rhythm of the day.
  { access_point_type: 'WiFi', num_access_points: 4, locations: [hall], spread_m: 15, ...crowded },
  { access_point_type: 'WiFi', num_access_points: 16, locations: [campus], num_devices: 30, ...all },
  {
    access_point_type: '5G',
    num_access_points: 20,
    locations: [campus],
    spread_m: 80,
    num_devices: 40,
    ...all,
  },
  { access_point_type: 'LiFi', num_access_points: 20, locations: [hall, campus], num_devices: 24, ...all },
]
const agents = network.reduce((sum, { num_access_points: count }) => sum + count, 0)

/** As whom the example comes in. */
export const steering = {
  app_name: 'steering',
  permissions: { scopes: ['agents:read', 'metrics:read', 'commands:send'] },
}

interface Demo {
  manc: Manc
  /** Keeps the number of the emulation for the next start. */
  file: string
  signal: AbortSignal
}

/** Until all access points are live. Answers the id of one in the hall. */
export async function startNetwork(demo: Demo): Promise<string> {
  const startedAt = Date.now()
  const known = await goingOn(demo)
  console.log(
    known
      ? `The network of the last start goes on: ${agents} access points come back within half a minute …`
      : `Starting ${agents} access points …`,
  )
  const job = known ?? (await begin(demo))
  await untilLive(demo, job)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`\nAll ${agents} access points are live after ${seconds} s. Ctrl-C stops everything.`)
  return `emu-wifi-${job.job_number.slice(0, 8)}-1`
}

/** Emulations have an end; the demo has none. */
export async function keepNetwork(demo: Demo): Promise<never> {
  for (;;) {
    await sleep(10_000, undefined, { signal: demo.signal })
    if (await goingOn(demo)) continue
    console.log('  the network has come to its end, and is started again')
    await untilLive(demo, await begin(demo))
  }
}

async function begin({ manc, file, signal }: Demo): Promise<Job> {
  const { jobNumber } = await manc.emulator.spinUp(network, { signal })
  writeFileSync(file, JSON.stringify({ jobNumber }))
  return { ...(await manc.jobs.get(jobNumber, { signal })), last_seq: 0 }
}

/** The emulation that was begun last, unless it has ended. */
async function goingOn({ manc, file, signal }: Demo): Promise<Job | undefined> {
  if (!existsSync(file)) return undefined
  const { jobNumber } = JSON.parse(readFileSync(file, 'utf8')) as { jobNumber: string }
  try {
    const job = await manc.jobs.get(jobNumber, { signal })
    return job.ended_at === null ? job : undefined
  } catch (error) {
    // Its data are gone.
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** What was told before the last start is over: the emulator of this one tells it anew. */
async function untilLive(
  { manc, signal }: Demo,
  { job_number: number, last_seq: after }: Job,
): Promise<void> {
  for await (const { type, data, final } of manc.jobs.read(number, { after, signal })) {
    if (final)
      throw new MancError(`The network did not start. ${(data as JobNews).detail ?? ''} Start again.`)
    if (type !== 'result') continue
    const [{ live }] = data as [EmulationNews]
    console.log(`  ${live} of ${agents} are live`)
    if (live === agents) return
  }
}

interface Words {
  url: string
  adminName: string
  adminPassword: string
  steeringKey: string
  inHall: string
  /** The command with which the administrator gets a token. */
  logIn: string
}

export const thingsToTry = ({ url, adminName, adminPassword, steeringKey, inHall, logIn }: Words) => `
Open ${url} in a browser, and sign in with the name and the password above.

Three more things to try, in a second terminal in this folder:

  1. Look at the network from the command line.
     echo ${adminPassword} | npx manc login --url ${url} --username ${adminName} --password-stdin
     npx manc fleet

  2. Run an application that takes load off crowded WiFi (examples/steering.ts); in a third terminal, see it fall.
     MANC_URL=${url} MANC_APP=${steering.app_name} MANC_KEY=${steeringKey} npx node examples/steering.ts
     npx manc telemetry chart ${inHall} load_pct clients

  3. Ask the interface itself: log in, and count the access points.
     TOKEN=$(${logIn} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
     curl -s ${url}/api/v1/fleet/summary -H "Authorization: Bearer $TOKEN"
`
