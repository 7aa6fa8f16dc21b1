import { parseArgs } from 'node:util'

export const help = `Sends generated requests, messages and frames to a server with real engines, and checks its responses.

  npm run test:fuzz                      at full size, about ten minutes
  npm run test:fuzz -- --quick           as in CI; MANC_QUICK=1 does the same

  --seed N         repeats a run: what is sent depends on the seed and the sizes, but for ids and times of the run
  --only PHASES    some of http, wire, times, broker, sockets and mqtt, comma-separated
  --operation ID   of the phase http, only requests of this operation
  --help           shows this`

const phases = ['http', 'wire', 'times', 'broker', 'sockets', 'mqtt'] as const

const full = { http: 100_000, wire: 3000, attempts: 5, broker: 20_000, frames: 20_000, mqtt: 100_000 }
const quick = { http: 2500, wire: 200, attempts: 1, broker: 1000, frames: 1000, mqtt: 2000 }

export interface Arguments {
  help: boolean
  seed: number
  phases: readonly string[]
  operation: string | undefined
  sizes: typeof full
}

export function readArguments(words: string[]): Arguments {
  const { values } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: process.env['MANC_QUICK'] !== undefined },
      seed: { type: 'string' },
      only: { type: 'string' },
      operation: { type: 'string' },
    },
  })
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  if (!Number.isInteger(seed)) throw new Error('--seed takes an integer')
  const chosen = values.only?.split(',') ?? phases
  if (!chosen.every((name) => (phases as readonly string[]).includes(name)))
    throw new Error(`--only takes some of ${phases.join(', ')}`)
  const { help: isHelp, operation } = values
  return { help: isHelp, seed, phases: chosen, operation, sizes: values.quick ? quick : full }
}
