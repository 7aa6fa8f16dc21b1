import type { EmulationNews, EmulatorSpec, Scenario } from '@manc/sdk'
import type { Command } from 'commander'
import { collect, count, duration, metres, oneOf, scenarios } from '../arguments.ts'
import { examples } from '../examples.ts'
import { exitCodes, Failure, wrongUsage } from '../failure.ts'
import { jsonFile } from '../input.ts'
import { isJson, print, printJson, printNotice } from '../output/print.ts'
import { bar, Progress } from '../output/progress.ts'
import { recordLines } from '../output/table.ts'
import { counted, span } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  '5g'?: number
  wifi?: number
  lifi?: number
  at?: string[]
  devices: number
  duration: number
  scenario?: Scenario
  seed?: string
  spread?: number
  file?: string
  detach?: boolean
}

export function fill(command: Command): void {
  command
    .option('--5g <n>', '5G access points', count)
    .option('--wifi <n>', 'WiFi access points', count)
    .option('--lifi <n>', 'LiFi access points', count)
    .option(
      '--at <place>',
      'a place, or latitude,longitude; can be repeated, the access points alternate',
      collect,
    )
    .option('--devices <n>', 'client devices around each access point', count, 10)
    .option('--duration <time>', 'duration, for example 10m', duration, 600)
    .option('--scenario <name>', `events during the emulation: ${scenarios.join(', ')}`, oneOf(scenarios))
    .option('--seed <text>', 'the same seed gives the same network')
    .option('--spread <metres>', 'distance between access points at the same place', metres)
    .option('--file <file>', 'a JSON specification instead of these options; - is standard input')
    .option('--detach', 'do not wait until all access points are live')
    .action(emulate)
  examples(
    command,
    'manc emulate --5g 5 --wifi 20 --lifi 10 --at Bristol --duration 10m',
    'manc emulate --wifi 50 --at "Bristol, GB" --at Bath --scenario rush_hour --detach',
    'manc emulate --file network.json',
  )
}

async function emulate(options: Options, command: Command): Promise<void> {
  const requested = options.file === undefined ? specsOf(options) : await specsIn(options.file)
  const manc = await connect(command)
  const emulation = await manc.emulator.spinUp(requested)
  const { jobNumber, agents, detail, endsAt } = emulation
  // A duration was limited to the maximum of the caller.
  if (detail !== undefined) printNotice(detail)
  const maxS = detail !== undefined && endsAt ? (endsAt.getTime() - Date.now()) / 1000 : Infinity
  const specs = requested.map((spec) => ({ ...spec, duration: Math.min(spec.duration, maxS) }))
  const later = `To follow it: manc jobs read ${jobNumber}`
  if (options.detach) {
    if (isJson(command)) return printJson({ job_number: jobNumber, agents })
    printNotice(`${starting(agents.length)}. ${later}`)
    return print(jobNumber)
  }
  process.once('SIGINT', () => {
    printNotice(`\nThe emulation continues until its end. ${later}`)
    process.exit(exitCodes.interrupted)
  })
  printNotice(`${kindsOf(specs)}: ${starting(agents.length)}.`)
  const progress = new Progress()
  const parts = new Map<number, EmulationNews>()
  const startedAt = Date.now()
  for await (const news of emulation) {
    if (news.part !== undefined) parts.set(news.part, news)
    const { live, failed } = sumOf(parts)
    progress.draw(...progressLines(parts, agents.length, specs))
    if (live + failed < agents.length) continue
    progress.clear()
    const seconds = (Date.now() - startedAt) / 1000
    await summarise(command, { jobNumber, agents, specs, live, failed, seconds })
    if (failed > 0)
      throw new Failure(`${counted(failed, 'access point')} did not start. Check the log of the emulator.`)
    return
  }
  throw new Failure(
    `The emulation ended before all access points were live. For details: manc jobs get ${jobNumber}`,
  )
}

async function summarise(
  command: Command,
  is: {
    jobNumber: string
    agents: string[]
    specs: EmulatorSpec[]
    live: number
    failed: number
    seconds: number
  },
): Promise<void> {
  const { jobNumber, agents, specs, live, failed, seconds } = is
  if (isJson(command))
    return printJson({ job_number: jobNumber, agents, live, failed, live_after_s: seconds })
  await print(
    ...recordLines({
      live: `${live} of ${counted(agents.length, 'access point')} after ${seconds.toFixed(1)} s`,
      network: kindsOf(specs),
      'ends in': span(Math.max(...specs.map(({ duration: lengthS }) => lengthS)) - seconds),
      job: jobNumber,
      next: `manc fleet, or manc telemetry chart ${agents[0] ?? ''}`,
    }),
  )
}

/** A bar in total, and one for each technology. */
function progressLines(
  parts: ReadonlyMap<number, EmulationNews>,
  all: number,
  specs: readonly EmulatorSpec[],
): string[] {
  const { live, failed } = sumOf(parts)
  const lines = [`${bar(live, all)} ${live} of ${all} live${failed > 0 ? `, ${failed} failed` : ''}`]
  for (const technology of new Set(specs.map(({ access_point_type: type }) => type))) {
    const wanted = sum(specs, (spec) => (spec.access_point_type === technology ? spec.num_access_points : 0))
    const there = sum([...parts.values()], ({ technologies }) => technologies?.[technology]?.live ?? 0)
    lines.push(`  ${technology.padEnd(4)}  ${bar(there, wanted, 20)} ${there} of ${wanted}`)
  }
  return lines
}

function sumOf(parts: ReadonlyMap<number, EmulationNews>): { live: number; failed: number } {
  const all = [...parts.values()]
  return { live: sum(all, ({ live }) => live), failed: sum(all, ({ failed }) => failed) }
}

const starting = (points: number) => `${counted(points, 'access point')} starting`

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0)

const kindsOf = (specs: readonly EmulatorSpec[]) =>
  specs.map(({ num_access_points: n, access_point_type: technology }) => `${n} ${technology}`).join(', ')

function specsOf(options: Options): EmulatorSpec[] {
  const counts = { '5G': options['5g'], WiFi: options.wifi, LiFi: options.lifi }
  const chosen = Object.entries(counts).filter(([, n]) => n !== undefined)
  if (chosen.length === 0)
    throw wrongUsage(
      'The number of access points is missing. Add --5g, --wifi or --lifi with a number, or --file.',
    )
  if (!options.at)
    throw wrongUsage(
      'The position is missing. Add --at with a place like Bristol, or with latitude,longitude.',
    )
  const { at, devices, duration: seconds, scenario, seed, spread } = options
  return chosen.map(([technology, n]) => ({
    access_point_type: technology,
    num_access_points: n as number,
    locations: at,
    num_devices: devices,
    duration: seconds,
    ...(scenario !== undefined && { scenario }),
    ...(seed !== undefined && { seed }),
    ...(spread !== undefined && { spread_m: spread }),
  }))
}

/** A request body of the API, or only the list in it. The controller validates it. */
async function specsIn(file: string): Promise<EmulatorSpec[]> {
  const value = (await jsonFile(file)) as { emulators?: EmulatorSpec[] } | EmulatorSpec[]
  const specs = Array.isArray(value) ? value : value?.emulators
  if (!Array.isArray(specs) || specs.length === 0)
    throw wrongUsage(
      `${file} must contain {"emulators": [...]}, or only the list, with at least one entry. Correct it.`,
    )
  return specs
}
