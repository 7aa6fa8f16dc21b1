#!/usr/bin/env node
/** `manc-agent`: measures this machine and sends the samples to the controller. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connectAgent, type TlsOptions } from '@manc/sdk/agent'
import { InvalidTlsFile, readTlsFiles, type TlsFiles } from '@manc/sdk/tls'
import manifest from '../package.json' with { type: 'json' }
import { Commands } from './commands.ts'
import { enrol } from './enrol.ts'
import { type Identity, IdentityFile } from './identity.ts'
import { log } from './log.ts'
import { loadPlugins } from './plugins.ts'
import { Sensors } from './readings.ts'
import { checkSettings, defaultFile, InvalidSettings, readSettings, type Settings } from './settings.ts'
import { builtInSources } from './sources/index.ts'

const help = `manc-agent: the agent of MANC for a Linux access point or gateway

  manc-agent [--settings FILE]   measure and send until it is stopped (${defaultFile})
  manc-agent --check             print one sample; needs no controller
  manc-agent --once              send one sample and exit: 0 if the controller has it, 1 if not
  manc-agent --help

  --ca-file FILE           trust this CA (PEM) instead of those of the system; or MANC_CA_FILE, or ca_file in the settings
  --cert-file FILE         client certificate (PEM) for a server that requires one; or MANC_CERT_FILE, or cert_file
  --client-key-file FILE   key of the client certificate (PEM); or MANC_CLIENT_KEY_FILE, or client_key_file

The settings are described in packages/agent/README.md.
`

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
  const values = readArguments()
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  // --check works without a settings file.
  const isWithoutFile = values.check === true && values.settings === undefined && !existsSync(defaultFile)
  const settings = isWithoutFile
    ? checkSettings({ url: 'http://localhost' })
    : readSettings(values.settings ?? defaultFile)
  const tls = values.check ? undefined : readCertificates(values, settings.tlsFiles)
  const sources = [...builtInSources, ...(await loadPlugins(settings.plugins))]
  const sensors = await Sensors.probe(sources, settings.sources, log)
  // A rate needs two readings; the probe made the first.
  await sleep(1000, undefined, { signal: stopping.signal }).catch(() => {})
  if (values.check) {
    process.stdout.write(`${JSON.stringify(await sensors.read(), undefined, 2)}\n`)
    return 0
  }
  const commands = new Commands(settings.commands, async () => {
    const readings = await sensors.read()
    agent.record(readings)
    return readings
  })
  const configuration = {
    software_version: manifest.version,
    ...settings.configuration,
    telemetry_interval_s: settings.intervalS,
    commands: commands.names,
  }
  const identity = await identify(settings, tls, configuration)
  if (stopping.signal.aborted) return 0
  const { url, mqttUrl, stateFolder, keepMib } = settings
  const agent = await connectAgent({
    url,
    ...(mqttUrl !== undefined && { mqttUrl }),
    ...(tls && { tls }),
    apId: identity.apId,
    password: identity.password,
    configuration,
    keep: { folder: path.join(stateFolder, 'samples'), bytes: keepMib * 1_048_576 },
    onProblem: ({ kind, message }) => log('warn', message, { problem: kind }),
    onCommand: async ({ id, command }) => {
      log('info', 'command received', { id, command })
      return commands.execute(command)
    },
  })
  log('info', 'started', {
    ap_id: identity.apId,
    url,
    ...(mqttUrl && { mqtt_url: mqttUrl }),
    waiting: agent.waiting,
  })
  if (values.once) agent.record(await sensors.read())
  else
    await measure(settings.intervalS, async () => {
      agent.record(await sensors.read())
      if (sensors.clients) agent.reportClients(sensors.clients)
    })
  await agent.stop({ withinMs: values.once ? 30_000 : 5000 })
  log('info', 'stopped', { waiting: agent.waiting, dropped: agent.dropped, set_aside: agent.setAside })
  return values.once && agent.waiting > 0 ? 1 : 0
}

/** Reads at a fixed interval, however long a reading takes, until the process is stopped. */
async function measure(intervalS: number, read: () => Promise<void>): Promise<void> {
  const { signal } = stopping
  for (let dueMs = Date.now(); !signal.aborted; ) {
    await read()
    // Readings missed because of a slow reading or a clock change are skipped.
    dueMs = Math.max(Math.min(dueMs, Date.now()) + intervalS * 1000, Date.now())
    await sleep(dueMs - Date.now(), undefined, { signal }).catch(() => {})
  }
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

async function identify(
  settings: Settings,
  tls: TlsOptions | undefined,
  configuration: Record<string, unknown>,
): Promise<Identity> {
  const { url, apId, password, enrolmentToken, stateFolder } = settings
  if (apId !== undefined && password !== undefined) return { apId, password, isRegistered: true }
  const file = new IdentityFile(stateFolder)
  const identity = file.open(apId)
  if (identity.isRegistered) return identity
  if (enrolmentToken === undefined)
    throw new InvalidSettings(
      'This agent is not registered. Write an enrolment_token to the settings; or ap_id and password, once an administrator has registered it.',
    )
  await enrol({ url, tls, enrolmentToken, identity, configuration, signal: stopping.signal })
  if (stopping.signal.aborted) return identity
  const registered = { ...identity, isRegistered: true }
  file.save(registered)
  log('info', 'registered', { ap_id: identity.apId })
  return registered
}

type Arguments = ReturnType<typeof readArguments>

function readArguments() {
  try {
    return parseArgs({
      options: {
        settings: { type: 'string' },
        check: { type: 'boolean' },
        once: { type: 'boolean' },
        'ca-file': { type: 'string' },
        'cert-file': { type: 'string' },
        'client-key-file': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new InvalidSettings(`${(error as Error).message}\n\n${help}`)
  }
}
