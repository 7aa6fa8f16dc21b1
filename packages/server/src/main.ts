#!/usr/bin/env node
import closeWithGrace from 'close-with-grace'
import { help, readCommand, WrongUsage } from './command-line.ts'
import { compose, createAdmin, keyStatus, rotateKeys, telemetryQueues } from './compose/index.ts'
import { readConfig, WrongSettings } from './config.ts'
import { migrate } from './engines/postgres.ts'
import { Refused } from './errors.ts'
import { collectNewObjectsOnMainThread } from './garbage-collection.ts'
import { createLog } from './log.ts'

const shutdownTimeoutMs = 10_000

collectNewObjectsOnMainThread()
try {
  await run()
} catch (error) {
  const expected = error instanceof WrongUsage || error instanceof WrongSettings || error instanceof Refused
  // Only the stack: other fields of an error may contain the value of a setting.
  console.error(expected ? error.message : error instanceof Error ? error.stack : 'The start failed.')
  if (error instanceof WrongUsage) console.error('\nRun manc-server --help for the commands and options.')
  process.exit(error instanceof WrongUsage || error instanceof WrongSettings ? 2 : 1)
}

async function run(): Promise<void> {
  const command = readCommand(process.argv.slice(2))
  if (command.name === 'help') return console.log(help)
  const config = readConfig(process.env)
  const log = createLog(config.MANC_LOG_LEVEL)
  switch (command.name) {
    case 'migrate':
      return migrate(config.MANC_DATABASE_URL, log)
    case 'admin create':
      await createAdmin(config, log, command.username, await firstLine())
      return console.log(`${command.username} is an administrator now.`)
    case 'keys status':
      return console.log(await keyStatus(config, log))
    case 'keys rotate':
      if (!(await rotateKeys(config, log, console.log))) process.exitCode = 1
      return
    case 'telemetry-queues':
      return telemetryQueues(config, log, command.count, console.log)
    case 'serve': {
      const server = compose({ ...config, MANC_ROLES: command.roles ?? config.MANC_ROLES }, log)
      const delay = shutdownTimeoutMs + config.MANC_DRAIN_SECONDS * 1000
      closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
        if (err) log.fatal({ err }, 'stopping after an unhandled error')
        else log.info({ signal }, 'stopping')
        // After an unhandled error the state of the process is unknown: it must not serve any longer.
        await server.stop({ drain: !err })
        log.info('stopped')
      })
      // A child process with an IPC channel stops with its parent.
      process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
      await server.start()
      log.info({ url: server.url, internal: server.internalUrl }, 'ready')
    }
  }
}

async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) console.error('Password (at least 8 characters):')
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split('\n', 1)[0] ?? ''
}
