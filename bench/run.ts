/** `npm run bench -- NAME`: ours and the bare engine in one run; the last line is one JSON object with a `ratio`. */
import { agentsRead } from './agents-read.ts'
import type { Bench } from './bench.ts'
import { ingestHttp } from './ingest-http.ts'
import { ingestMqtt } from './ingest-mqtt.ts'
import { login } from './login.ts'
import { metricsRead } from './metrics-read.ts'

interface Entry {
  about: string
  run: Bench
  /** What the figures have to be. A quick run is short and shares the machine: it is held to two fifths of that. */
  least?: Record<string, number>
  most?: Record<string, number>
}

const benches: Record<string, Entry> = {
  'agents-read': {
    about: 'reading one of 100,000 agents with a bearer token, against bare Fastify + pg',
    run: agentsRead,
    least: { ratio: 0.85 },
  },
  'ingest-http': {
    about: 'operation 21, against bare Fastify + a confirmed publish',
    run: ingestHttp,
    least: { ratio: 0.75 },
  },
  'ingest-mqtt': {
    about: 'points/s from a QoS 1 publish to stored, against the engines with nothing of ours between',
    run: ingestMqtt,
    least: { ratio: 0.85 },
  },
  'metrics-read': {
    about: '3 metrics of one of 2,000 agents, against bare Fastify + fetch; then 200 charts at 1 Hz',
    run: metricsRead,
    least: { ratio: 0.85 },
    most: { charts_p99_ms: 100, engine_reads_per_agent_and_s: 1 },
  },
  login: {
    about: '50 logins/s beside 500 reads/s, against the same reads alone',
    run: login,
    most: { reads_beside_logins_p99_ms: 100 },
  },
}

const [name = '', ...words] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  const list = Object.entries(benches).map(([each, { about }]) => `  ${each.padEnd(16)}${about}`)
  console.log(
    `npm run bench -- NAME [--quick]\n\n${list.join('\n')}\n\n--quick: fewer and shorter rounds, for CI.`,
  )
  process.exit(name === '' || name === '--help' ? 0 : 2)
}
const quick = words.includes('--quick')
const figures: Record<string, unknown> = await bench.run({ quick, say: (line) => console.log(line) })
const slack = quick ? 0.4 : 1
const missed = [
  ...Object.entries(bench.least ?? {}).filter(
    ([figure, least]) => !(Number(figures[figure]) >= least * slack),
  ),
  ...Object.entries(bench.most ?? {}).filter(([figure, most]) => !(Number(figures[figure]) <= most / slack)),
]
for (const [figure, limit] of missed)
  console.log(`missed: ${figure} is ${String(figures[figure])}, wanted ${limit}`)
console.log(JSON.stringify({ bench: name, ...figures }))
process.exitCode = missed.length > 0 ? 1 : 0
