import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { exitCodes, Failure } from '../failure.ts'
import { paint } from '../output/colour.ts'
import { isJson, print, printJson } from '../output/print.ts'
import { type Globals, tlsOf, urlOf } from '../profile.ts'
import { type Check, checksOf, type Finding } from './doctor.checks.ts'

interface Options {
  mqtt?: string
  agent?: string
}

export function fill(command: Command): void {
  command
    .option('--mqtt <url>', 'also check the MQTT broker, for example mqtt://localhost:1883')
    .option(
      '--agent <id>',
      'also check telemetry: sends a sample for this agent, as an administrator, and reads it back',
    )
    .action(examine)
  examples(
    command,
    'manc doctor',
    'manc doctor --url https://manc.example.org --mqtt mqtts://manc.example.org:8883',
    'manc doctor --agent wifi-1 --json',
  )
}

const marks = { ok: paint('green', 'ok  '), warn: paint('yellow', 'warn'), fail: paint('red', 'fail') }

async function examine(options: Options, command: Command): Promise<void> {
  const globals = command.optsWithGlobals<Globals>()
  const url = new URL(urlOf(globals))
  const tls = await tlsOf(globals)
  const findings: (Finding & { check: string })[] = []
  for (const { name, needs, run } of checksOf(command, url, { ...options, tls })) {
    const isOk = (each: string) => findings.some(({ check, state }) => check === each && state === 'ok')
    if (!needs.every(isOk)) continue
    for (const finding of await outcomeOf(run)) {
      findings.push({ check: name, ...finding })
      if (!isJson(command)) await print(...linesOf(name, finding))
    }
  }
  if (isJson(command)) await printJson(findings)
  const failed = findings.filter(({ state }) => state === 'fail').length
  if (failed > 0)
    throw new Failure(
      `${failed} of ${findings.length} checks failed. Fix the first one first.`,
      exitCodes.failed,
    )
}

async function outcomeOf(run: Check['run']): Promise<Finding[]> {
  try {
    return await run()
  } catch (error) {
    const { explain } = await import('../errors.ts')
    return [{ state: 'fail', found: (await explain(error)).message }]
  }
}

const linesOf = (name: string, { state, found, next }: Finding): string[] => [
  `${marks[state]}  ${name.padEnd(10)}  ${found}`,
  ...(next === undefined ? [] : [`${' '.repeat(18)}${paint('dim', `→ ${next}`)}`]),
]
