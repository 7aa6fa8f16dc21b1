#!/usr/bin/env node
/** `manc-advisor`: an application on the SDK that decides about clients and access points by a policy. */
import { parseArgs } from 'node:util'
import { AdvisorApp } from './advisor-app.ts'
import { help, InvalidSettings, readSettings, type Settings } from './settings.ts'

if (wantsHelp()) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}

const stop = new AbortController()
const app = new AdvisorApp({
  ...settings(),
  log: (line) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`),
})
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop.abort())

try {
  await app.run(stop.signal)
  process.exit(0)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

function wantsHelp(): boolean {
  try {
    return parseArgs({ options: { help: { type: 'boolean' } } }).values.help === true
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}\n`)
    process.exit(2)
  }
}

function settings(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    process.stderr.write(`${error.message}\n\n${help}\n`)
    process.exit(2)
  }
}
