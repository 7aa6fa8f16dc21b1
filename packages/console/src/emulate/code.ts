import type { EmulatorSpec } from '@manc/sdk'
import { shellQuote } from '../ui/shell-quote.ts'

/** The request as curl, SDK and CLI code. */
export function codeFor(specs: readonly EmulatorSpec[], url: string): Record<'curl' | 'SDK' | 'CLI', string> {
  return { curl: curlOf(specs, url), SDK: sdkOf(specs, url), CLI: cliOf(specs) }
}

const curlOf = (specs: readonly EmulatorSpec[], url: string) =>
  `curl -s ${url}/api/v1/emulator/spinup \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d ${shellQuote(JSON.stringify({ emulators: specs }, null, 2))}`

const sdkOf = (specs: readonly EmulatorSpec[], url: string) =>
  `import { Manc } from '@manc/sdk'

const manc = new Manc({ url: '${url}', credentials: { username, password } })
const emulation = await manc.emulator.spinUp(${JSON.stringify(specs, null, 2)})
for await (const { state, live, agents } of emulation) console.log(state, live, 'of', agents)`

function cliOf(specs: readonly EmulatorSpec[]): string {
  const [first] = specs
  if (!first) return 'manc emulate --help'
  const { locations, num_devices: clients, duration, scenario, seed, spread_m: spreadM } = first
  return [
    'manc emulate',
    ...specs.map(
      ({ access_point_type: technology, num_access_points: count }) =>
        `--${technology.toLowerCase()} ${count}`,
    ),
    ...locations.map((location) => `--at ${shellQuote(location)}`),
    `--devices ${clients}`,
    `--duration ${duration}s`,
    ...(scenario ? [`--scenario ${scenario}`] : []),
    ...(seed ? [`--seed ${shellQuote(seed)}`] : []),
    ...(spreadM === undefined ? [] : [`--spread ${spreadM}`]),
  ].join(' ')
}
