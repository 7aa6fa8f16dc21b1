import type { EmulationNews, EmulatorSpec, Scenario } from '@manc/sdk'
import type { Command } from 'commander'
import { collect, count, duration, metres, oneOf, scenarios } from '../arguments.ts'
import { examples } from '../examples.ts'
import { exitCodes, Failure, wrongUsage } from '../failure.ts'
import { jsonFile } from '../input.ts'
import { isJson, note, print, printJson } from '../output/print.ts'
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
    .option('--at <place>', 'where: a place, or latitude,longitude; several times, they take turns', collect)
    .option('--devices <n>', 'client devices around each access point', count, 10)
    .option('--duration <time>', 'for how long, for example 10m', duration, 600)
    .option('--scenario <name>', `what happens: ${scenarios.join(', ')}`, oneOf(scenarios))
    .option('--seed <text>', 'the same seed gives the same network')
    .option('--spread <metres>', 'how far those who share a place are from it', metres)
    .option('--file <file>', 'a specification as JSON instead of these; - is standard input')
    .option('--detach', 'do not wait until it is live')
    .action(emulate)
  examples(
    command,
    'manc emulate --5g 5 --wifi 20 --lifi 10 --at Bristol --duration 10m',
    'manc emulate --wifi 50 --at "Bristol, GB" --at Bath --scenario rush_hour --detach',
    'manc emulate --file network.json',
  )
}

async function emulate(options: Options, command: Command): Promise<void> {
  const specs = options.file === undefined ? specsOf(options) : await specsIn(options.file)
  const manc = await connect(command)
  const emulation = await manc.emulator.spinUp(specs)
  const { jobNumber, agents } = emulation
  const later = `To follow it: manc jobs read ${jobNumber}`
  if (options.detach) {
    if (isJson(command)) return printJson({ job_number: jobNumber, agents })
    note(`${comeUp(agents.length)}. ${later}`)
    return print(jobNumber)
  }
  process.once('SIGINT', () => {
    note(`\nThe emulation goes on until its time is over. ${later}`)
    process.exit(exitCodes.interrupted)
  })
  note(`${kindsOf(specs)}: ${comeUp(agents.length)}.`)
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
      throw new Failure(`${counted(failed, 'access point')} did not come up. Look at the emulator's log.`)
    return
  }
  throw new Failure(`It ended before all were live. To see how it went: manc jobs get ${jobNumber}`)
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

/** Everything, and each technology. */
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

const comeUp = (points: number) => `${counted(points, 'access point')} ${points === 1 ? 'comes' : 'come'} up`

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0)

const kindsOf = (specs: readonly EmulatorSpec[]) =>
  specs.map(({ num_access_points: n, access_point_type: technology }) => `${n} ${technology}`).join(', ')

function specsOf(options: Options): EmulatorSpec[] {
  const counts = { '5G': options['5g'], WiFi: options.wifi, LiFi: options.lifi }
  const chosen = Object.entries(counts).filter(([, n]) => n !== undefined)
  if (chosen.length === 0)
    throw wrongUsage('How many of what? Add --5g, --wifi or --lifi with a number, or --file.')
  if (!options.at)
    throw wrongUsage('Where? Add --at with a place such as Bristol, or with latitude,longitude.')
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

/** As the interface takes it, or the list inside it alone. What is wrong in it, the controller says. */
async function specsIn(file: string): Promise<EmulatorSpec[]> {
  const value = (await jsonFile(file)) as { emulators?: EmulatorSpec[] } | EmulatorSpec[]
  const specs = Array.isArray(value) ? value : value?.emulators
  if (!Array.isArray(specs) || specs.length === 0)
    throw wrongUsage(`${file} is to be {"emulators": [...]}, or the list alone, with at least one entry.`)
  return specs
}
