import { type Arguments, help, readArguments } from './arguments.ts'
import { fuzzBrokerRequests } from './broker.fuzz.ts'
import { FuzzEnvironment } from './environment.ts'
import { Findings } from './findings.ts'
import { fuzzHttp } from './http.fuzz.ts'
import { takeRepeats } from './http-exchange.ts'
import { fuzzMqtt } from './mqtt.fuzz.ts'
import { fuzzSockets } from './sockets.fuzz.ts'
import { checkTimes } from './timing.fuzz.ts'
import { fuzzWire } from './wire.fuzz.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(words: string[]): Promise<number> {
  let given: Arguments
  try {
    given = readArguments(words)
  } catch (error) {
    console.error((error as Error).message)
    return 2
  }
  if (given.help) {
    console.log(help)
    return 0
  }
  console.log(`seed ${given.seed}`)
  const environment = await FuzzEnvironment.open()
  const findings = new Findings()
  let repeats = 0
  try {
    for (const [name, phase] of Object.entries(phasesOf(environment, given, findings))) {
      if (!given.phases.includes(name)) continue
      const startedAt = performance.now()
      const lines = await phase()
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      const repeatsOfPhase = takeRepeats()
      repeats += repeatsOfPhase
      console.log(
        `${name}: ${lines.join('\n  ')} (${seconds} s, ${findings.count} findings so far, ${repeatsOfPhase} requests sent again after a 503)`,
      )
      for (const problem of await environment.newHealthProblems())
        findings.add({ problem: 'the server is not healthy', where: name, evidence: problem })
    }
    return findings.count === 0 ? 0 : 1
  } finally {
    // Also where a phase has failed itself.
    for (const line of findings.lines()) console.log(line)
    console.log(
      `\n${findings.count} findings, ${repeats} requests sent again after a 503, seed ${given.seed}`,
    )
    await environment.close()
  }
}

function phasesOf(environment: FuzzEnvironment, given: Arguments, findings: Findings) {
  const { seed, sizes, operation } = given
  return {
    http: async () => {
      const { requests, statuses } = await fuzzHttp(
        environment,
        { requests: sizes.http, seed, operation },
        findings,
      )
      return [`${requests} requests`, ...[...statuses].map(([id, counts]) => `${id} ${shown(counts)}`)]
    },
    wire: async () => [shown(await fuzzWire(environment, { connections: sizes.wire, seed }, findings))],
    times: async () => {
      const { requests, slowest, statuses } = await checkTimes(environment, sizes.attempts, findings)
      return [
        `${requests} requests, slowest ${slowest.what}: ${slowest.ms.toFixed(0)} ms`,
        ...[...statuses].map(([place, counts]) => `${place} ${shown(counts)}`),
      ]
    },
    broker: async () => [
      shown(
        Object.entries(await fuzzBrokerRequests(environment, { requests: sizes.broker, seed }, findings)),
      ),
    ],
    sockets: async () => [
      shown(Object.entries(await fuzzSockets(environment, { frames: sizes.frames, seed }, findings))),
    ],
    mqtt: async () => [
      shown(Object.entries(await fuzzMqtt(environment, { messages: sizes.mqtt, seed }, findings))),
    ],
  }
}

function shown(counts: Iterable<[string | number, number]>): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}
