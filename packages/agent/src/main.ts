#!/usr/bin/env node
/** `manc-agent`: reads access points, this machine or others, and sends their samples to the controller. */
import { existsSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { TlsOptions } from '@manc/sdk/agent'
import { InvalidTlsFile, readTlsFiles, type TlsFiles } from '@manc/sdk/tls'
import { checkDevices } from './check/check.ts'
import { Gateway } from './gateway/gateway.ts'
import { ReloadTrigger } from './gateway/reload.ts'
import { log } from './log.ts'
import { InvalidSettings } from './settings/invalid-settings.ts'
import { checkSettings, defaultFile, readSettings, type Settings } from './settings/settings.ts'

const help = `manc-agent: the agent of MANC for access points: this machine, or others through a driver

  manc-agent [--settings FILE]          measure and send until it is stopped (${defaultFile});
                                        a changed file, and SIGHUP, reloads the settings
  manc-agent check [FILE] [--only AP]   read each device and print what would be sent; sends nothing
  manc-agent --once                     send one sample of each and exit: 0 if the controller has them, 1 if not
  manc-agent --help

  --only AP                check only the access point with this ap_id
  --ca-file FILE           trust this CA (PEM) instead of those of the system; or MANC_CA_FILE, or ca_file in the settings
  --cert-file FILE         client certificate (PEM) for a server that requires one; or MANC_CERT_FILE, or cert_file
  --client-key-file FILE   key of the client certificate (PEM); or MANC_CLIENT_KEY_FILE, or client_key_file

The settings are described in packages/agent/README.md, drivers in docs/drivers.
`

const onceWithinMs = 30_000
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof InvalidSettings)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
// A hanging connection must not keep the process running.
process.exit()

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const [command, checked] = values.check ? ['check', ...positionals] : positionals
  if (command === 'check')
    return checkDevices(settingsToCheck(checked ?? values.settings), values.only, stopping.signal)
  if (command !== undefined) throw new InvalidSettings(`There is no command "${command}".\n\n${help}`)
  const file = values.settings ?? defaultFile
  const settings = readSettings(file)
  const tls = readCertificates(values, settings.tlsFiles)
  return values.once ? once(settings, tls) : run(file, settings, tls, values)
}

async function run(
  file: string,
  first: Settings,
  tls: TlsOptions | undefined,
  values: Arguments,
): Promise<number> {
  const gateway = new Gateway()
  let { files } = first
  const reload = new ReloadTrigger((cause) => {
    log('info', 'reading the settings again', { cause })
    void applyAgain().catch((error: unknown) => {
      log('error', 'the settings were not reloaded', { reason: String(error) })
    })
  })
  const applyAgain = async () => {
    try {
      const settings = readSettings(file)
      files = settings.files
      reload.watch(files)
      await gateway.apply(settings, readCertificates(values, settings.tlsFiles))
    } catch (error) {
      if (!(error instanceof InvalidSettings)) throw error
      // A map that is wrong may be corrected without a change of the settings.
      reload.watch([...files, ...error.files])
      log('error', 'the settings are invalid and were not applied; correct them', { reason: error.message })
    }
  }
  warnIfReadable(file)
  // Before they are applied: a change meanwhile must not be missed.
  reload.watch(files)
  const problems = await gateway.apply(first, tls)
  if (gateway.size === 0) throw problems[0] ?? new InvalidSettings('There is no access point.')
  await stopped()
  reload.close()
  await gateway.stop()
  log('info', 'stopped', { ...gateway.totals })
  return 0
}

/** The settings have enrolment tokens, and passwords of devices. */
function warnIfReadable(file: string): void {
  if ((statSync(file).mode & 0o004) !== 0)
    log('warn', 'every user of this machine can read the settings, which may contain secrets', {
      next: `chmod 600 ${file}`,
    })
}

async function once(settings: Settings, tls: TlsOptions | undefined): Promise<number> {
  const gateway = new Gateway()
  const isSent = await gateway.once(settings, tls, { withinMs: onceWithinMs, signal: stopping.signal })
  log('info', 'stopped', { ...gateway.totals })
  return isSent ? 0 : 1
}

/** Watched files and idle sockets do not keep the process running. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {}, 60_000)
    const end = () => {
      clearInterval(timer)
      resolve()
    }
    if (stopping.signal.aborted) end()
    else stopping.signal.addEventListener('abort', end, { once: true })
  })
}

/** Without a file it is this machine. */
function settingsToCheck(file: string | undefined): Settings {
  if (file === undefined && !existsSync(defaultFile)) return checkSettings({ url: 'http://localhost' })
  return readSettings(file ?? defaultFile)
}

/** An option overrides the settings file, which overrides the environment. */
function readCertificates(values: Arguments, files: TlsFiles): TlsOptions | undefined {
  const { env } = process
  try {
    return readTlsFiles({
      ca: values['ca-file'] ?? files.ca ?? env['MANC_CA_FILE'],
      cert: values['cert-file'] ?? files.cert ?? env['MANC_CERT_FILE'],
      key: values['client-key-file'] ?? files.key ?? env['MANC_CLIENT_KEY_FILE'],
    })
  } catch (error) {
    throw error instanceof InvalidTlsFile ? new InvalidSettings(error.message) : error
  }
}

type Arguments = ReturnType<typeof readArguments>['values']

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        settings: { type: 'string' },
        // As in earlier versions.
        check: { type: 'boolean' },
        only: { type: 'string' },
        once: { type: 'boolean' },
        'ca-file': { type: 'string' },
        'cert-file': { type: 'string' },
        'client-key-file': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new InvalidSettings(`${(error as Error).message}\n\n${help}`)
  }
}
