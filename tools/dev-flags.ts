import { parseArgs } from 'node:util'
import { type Scenario, scenarios } from '@manc/contract'

export const help = `npm run dev: engines, server, emulator, mail sink and an administrator, all private to this folder

  npm run dev                      http://localhost:8080, or a free port where that is taken
  npm run dev -- --port 9000       another port
  npm run dev -- --fresh           delete the data of earlier runs first
  npm run dev -- --name other      separate data, in .engines/other
  npm run dev -- --cluster         several nodes of each engine; needs the engines of Debian 13
  npm run demo                     the same with 60 emulated access points, an advisor and a guided tour
  npm run demo -- --fresh --scenario backhaul_cut   with events: they happen about 8 minutes after the start
  npm run lab                      the same with hostapd and WiFi stations in a virtual machine, snmpd and node_exporter (docs/lab.md)

Data is kept in .engines/dev, with --cluster in .engines/dev-cluster, of the lab in .engines/lab. Ctrl-C stops everything.`

interface Flags {
  help?: boolean
  fresh?: boolean
  demo?: boolean
  lab?: boolean
  cluster?: boolean
  port?: string
  name?: string
  scenario?: Scenario
}

/** Of the command line. Ends the process where they are wrong. */
export function readFlags(): Flags {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean' },
        fresh: { type: 'boolean' },
        demo: { type: 'boolean' },
        lab: { type: 'boolean' },
        cluster: { type: 'boolean' },
        port: { type: 'string' },
        name: { type: 'string' },
        scenario: { type: 'string' },
      },
    })
    const { scenario: named, ...others } = values
    const scenario = scenarios.find((each) => each === named)
    if (named !== undefined && !scenario)
      throw new Error(`--scenario takes one of ${scenarios.join(', ')}, not ${named}.`)
    if (values.port !== undefined && !/^\d{1,5}$/.test(values.port))
      throw new Error(`--port takes a number, not ${values.port}.`)
    if (values.name !== undefined && !/^[a-z][a-z0-9-]{0,31}$/.test(values.name))
      throw new Error(`--name takes up to 32 lower case letters, digits and hyphens, not ${values.name}.`)
    return { ...others, ...(scenario && { scenario }) }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}
