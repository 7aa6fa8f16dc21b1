/** `npm run emulator`: takes parts of emulations off the broker and runs their agents. */
import { parseArgs } from 'node:util'
import { Emulator } from './emulator.ts'
import { help, InvalidSettings, readSettings, type Settings } from './settings.ts'

const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
if (values.help) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}

const emulator = new Emulator({
  ...settings(),
  log: (line) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`),
})
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
  process.on(signal, () => void emulator.stop().then(() => process.exit(0)))

try {
  await emulator.run()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
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
