/** The part of `npm run demo` that `npm run dev` does not have: an emulated network and a guided tour. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { emulatedApId, type Scenario } from '@manc/contract'
import {
  type EmulationNews,
  type EmulatorSpec,
  type Job,
  type JobNews,
  type Manc,
  MancError,
  NotFound,
} from '@manc/sdk'

/** The University of Bristol, and one of its halls. */
const campus = '51.4586,-2.6025'
const hall = '51.4590,-2.6018'

const seed = 'demo'
/** Events of a scenario are in the middle of its duration. */
const scenarioDurationS = 1200

/** A scenario is that of the WiFi on the campus. */
function networkOf(scenario: Scenario | undefined): EmulatorSpec[] {
  const all = { seed, duration: scenario ? scenarioDurationS : 12 * 3600 }
  const crowded = { num_devices: 260, scenario: 'steady' as const, ...all }
  return [
    // As in a rush hour at any time, so that applications always have work; the others follow the time of day.
    {
      access_point_type: 'WiFi',
      name: 'Great Hall WiFi',
      place: 'Great Hall',
      num_access_points: 4,
      locations: [hall],
      spread_m: 15,
      ...crowded,
    },
    {
      access_point_type: 'WiFi',
      name: 'Campus WiFi',
      place: 'University campus',
      num_access_points: 16,
      locations: [campus],
      num_devices: 30,
      ...(scenario && { scenario }),
      ...all,
    },
    {
      access_point_type: '5G',
      name: 'Campus 5G cell',
      place: 'University campus',
      num_access_points: 20,
      locations: [campus],
      spread_m: 80,
      num_devices: 40,
      ...all,
    },
    {
      access_point_type: 'LiFi',
      name: 'LiFi lamp',
      place: 'Great Hall and campus',
      num_access_points: 20,
      locations: [hall, campus],
      num_devices: 24,
      ...all,
    },
  ]
}
const agents = networkOf(undefined).reduce((sum, { num_access_points: count }) => sum + count, 0)

/** The application that the steering example logs in as. */
export const steering = {
  app_name: 'steering',
  permissions: { scopes: ['agents:read', 'metrics:read', 'commands:send'] },
}

/** The advisor: in the sandbox, and without the scope to send commands. A person confirms what it proposes. */
export const advisor = {
  app_name: 'advisor',
  permissions: {
    scopes: ['agents:read', 'metrics:read', 'clients:read', 'decisions:read', 'decisions:write'],
    sandbox: true,
  },
}

interface Demo {
  manc: Manc
  /** Stores the job number of the emulation for the next start. */
  file: string
  /** Without it, load follows the time of day. */
  scenario: Scenario | undefined
  signal: AbortSignal
}

/** Resolves when all access points are live, with the id of one in the hall. */
export async function startNetwork(demo: Demo): Promise<string> {
  const startedAt = Date.now()
  const running = await runningEmulation(demo)
  console.log(
    running
      ? `Resuming the emulation of the last start: ${agents} access points reconnect within 30 s …`
      : `Starting ${agents} access points …`,
  )
  const job = running ?? (await spinUp(demo))
  await untilLive(demo, job)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`\nAll ${agents} access points are live after ${seconds} s. Ctrl-C stops everything.`)
  return emulatedApId('WiFi', job.job_number, 1)
}

/** An emulation ends after its duration; the demo starts the next one. */
export async function keepNetwork(demo: Demo): Promise<never> {
  for (;;) {
    await sleep(10_000, undefined, { signal: demo.signal })
    if (await runningEmulation(demo)) continue
    console.log('  the emulation has ended; starting it again')
    await untilLive(demo, await spinUp(demo))
  }
}

async function spinUp({ manc, file, scenario, signal }: Demo): Promise<Job> {
  const { jobNumber } = await manc.emulator.spinUp(networkOf(scenario), { signal })
  writeFileSync(file, JSON.stringify({ jobNumber }))
  return { ...(await manc.jobs.get(jobNumber, { signal })), last_seq: 0 }
}

/** The emulation that was started last, unless it has ended. */
async function runningEmulation({ manc, file, signal }: Demo): Promise<Job | undefined> {
  if (!existsSync(file)) return undefined
  const { jobNumber } = JSON.parse(readFileSync(file, 'utf8')) as { jobNumber: string }
  try {
    const job = await manc.jobs.get(jobNumber, { signal })
    return job.ended_at === null ? job : undefined
  } catch (error) {
    // The data of the last start were deleted.
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** Skips reports from before the last start: the emulator of this start reports the number of live agents again. */
async function untilLive(
  { manc, signal }: Demo,
  { job_number: number, last_seq: after }: Job,
): Promise<void> {
  for await (const { type, data, final } of manc.jobs.read(number, { after, signal })) {
    if (final)
      throw new MancError(
        `The emulation did not start. ${(data as JobNews).detail ?? ''} Run npm run demo again.`,
      )
    if (type !== 'result') continue
    const [{ live }] = data as [EmulationNews]
    console.log(`  ${live} of ${agents} are live`)
    if (live === agents) return
  }
}

interface TourValues {
  url: string
  adminName: string
  adminPassword: string
  steeringKey: string
  inHall: string
  /** The command that requests a token for the administrator. */
  logIn: string
}

export const guidedTour = ({ url, adminName, adminPassword, steeringKey, inHall, logIn }: TourValues) => `
Open ${url} in a browser and sign in with the user name and password above.

Within two minutes: the Great Hall is as full as in a rush hour, and the advisor (policy best-experience, in the sandbox)
proposes to move clients to 5G. Open Decisions, read the expected effect of a proposal and confirm it. The clients move
within seconds; the measured effect is beside the expected one a minute later.

Next steps, in a second terminal in this folder:

  1. Watch the network from the command line.
     echo ${adminPassword} | npx manc login --url ${url} --username ${adminName} --password-stdin
     npx manc fleet

  2. Run an application that moves load off crowded WiFi (examples/steering.ts). Watch the load in a third terminal.
     MANC_URL=${url} MANC_APP=${steering.app_name} MANC_KEY=${steeringKey} npx node examples/steering.ts
     npx manc telemetry chart ${inHall} load_pct clients

  3. Call the API directly: log in and count the access points.
     TOKEN=$(${logIn} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
     curl -s ${url}/api/v1/fleet/summary -H "Authorization: Bearer $TOKEN"
`
