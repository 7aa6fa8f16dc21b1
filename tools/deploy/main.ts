/**
 * `npm run test:deploy`: installs MANC from images with deploy/compose as an operator does, checks the installation from
 * outside, and removes it. Needs root, podman, podman-compose, debootstrap, openssl and a root file system of engines.
 * The last line is one JSON object with the figures.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildImages } from '../images/build-images.ts'
import { run } from '../images/run.ts'
import { makeTestImages, type TestImages } from '../images/test-images.ts'
import { versionOf } from '../release/versions.ts'
import { checkContainers, checkPrivileges } from './check-containers.ts'
import { checkPorts } from './check-ports.ts'
import { ComposeInstallation } from './compose-installation.ts'
import { configurePodman } from './podman-configuration.ts'

const maxMinutes = 5
const maxServerMb = 250
/** The interface lets anyone sign up, and gives rights to apps without permissions. compose.yaml has stricter settings. */
const interfaceSettings = { MANC_SIGNUP: 'open', MANC_APP_DEFAULT: 'interface' }
const prefix = 'localhost/manc-test'
const root = path.join(import.meta.dirname, '../..')
const version = versionOf(root)

const { values } = parseArgs({
  options: {
    // For repeated runs while working on the compose files.
    'no-build': { type: 'boolean', default: false },
    'engines-root': {
      type: 'string',
      default: process.env['MANC_ENGINES_ROOT'] ?? '/var/cache/manc-engines',
    },
  },
})

const figures: Record<string, unknown> = {}
let installation: ComposeInstallation | undefined
try {
  configurePodman()
  const images = await makeImages()
  installation = new ComposeInstallation({ images, prefix, tag: version })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void installation?.remove().finally(() => process.exit(1)))
  await check(installation)
  figures['ok'] = true
} catch (error) {
  console.error(error)
  await installation?.printLogs()
  figures['ok'] = false
  figures['error'] = (error as Error).message
  process.exitCode = 1
} finally {
  await installation?.remove()
}
console.log(JSON.stringify(figures))
process.exit()

async function makeImages(): Promise<TestImages> {
  const startedAt = Date.now()
  const images = await makeTestImages(values['engines-root'])
  if (values['no-build']) return images
  const built = await buildImages({ node: images.node, base: images.base, prefix })
  figures['build_s'] = secondsSince(startedAt)
  const sizes = Object.fromEntries(built.map(({ name, bytes }) => [name, Math.round(bytes / 1e6)]))
  figures['image_mb'] = sizes
  const server = sizes[`${prefix}/manc-server:${version}`] ?? Number.POSITIVE_INFINITY
  if (server >= maxServerMb) throw new Error(`manc-server has ${server} MB, more than ${maxServerMb}.`)
  return images
}

async function check(own: ComposeInstallation): Promise<void> {
  const startedAt = Date.now()
  await own.init()
  await own.up()
  await own.untilConsoleAnswers()
  figures['console_after_s'] = secondsSince(startedAt)
  await own.startAgent()
  await own.untilAgentIsOnline()
  figures['agent_online_after_s'] = secondsSince(startedAt)
  if (Date.now() - startedAt > maxMinutes * 60_000)
    throw new Error(`The installation took more than ${maxMinutes} minutes.`)
  const pausedAt = Date.now()
  await own.pauseAgent()
  await own.untilAgentIsOffline()
  figures['agent_offline_after_s'] = secondsSince(pausedAt)
  await own.resumeAgent()
  await own.untilAgentIsOnline()
  figures['restarts_while_starting'] = await own.restarts()
  figures['containers'] = await checkContainers(own)
  Object.assign(figures, await checkPrivileges(own))
  figures['open_ports'] = await checkPorts(own)
  figures['ready_after_restart_s'] = await own.restartSeconds('api')

  const program = process.execPath
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: own.caFile }
  const target = ['--url', own.url, '--username', own.admin]
  const conformance = ['packages/server/test/conformance/run.ts', ...target, '--password', own.adminPassword]
  await own.withSettingsOfApi(interfaceSettings, () =>
    run(program, [...conformance, '--expect', '32'], { env }),
  )
  figures['conformance'] = '32/32'
  await run(
    program,
    [
      'packages/server/test/deployed/attacks.ts',
      ...target,
      '--mqtt-url',
      own.mqttUrl,
      '--password-file',
      own.adminPasswordFile,
    ],
    { env },
  )
  figures['attacks'] = 'all refused'

  const rotationAt = Date.now()
  await own.rotateKeys()
  figures['keys_rotated_in_s'] = secondsSince(rotationAt)

  const demoAt = Date.now()
  await own.upDemo()
  figures['demo_agents'] = await own.untilDemoIsOnline()
  figures['demo_online_after_s'] = secondsSince(demoAt)
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 100) / 10
}
