/**
 * Prepares a demonstration: registers the app of the emulators and starts a small emulated network. Exits with 1 while the
 * controller cannot be reached, and is then started again (deploy/compose/compose.demo.yaml).
 */
import { Manc, NotFound } from '@manc/sdk'
import { environmentValue } from './settings.ts'

/** Of all technologies. */
const accessPoints = 20

const value = environmentValue(process.env)
const manc = new Manc({
  url: value('MANC_API_URL'),
  credentials: { username: value('MANC_ADMIN'), password: value('MANC_ADMIN_PASSWORD') },
})

try {
  await registerApp()
  await startNetwork()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

async function registerApp(): Promise<void> {
  const name = value('MANC_EMULATOR_APP')
  const app = { api_key: value('MANC_EMULATOR_KEY'), permissions: { scopes: ['callbacks:post'] } }
  try {
    await manc.apps.update(name, app)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    await manc.apps.register({ app_name: name, ...app })
  }
}

async function startNetwork(): Promise<void> {
  const { total } = await manc.fleet.summary()
  // Started again, with the network of the last start.
  if (total >= accessPoints) return void process.stdout.write(`There are ${total} agents already.\n`)
  const all = {
    locations: ['51.4586,-2.6025'],
    place: 'University campus',
    spread_m: 150,
    duration: 12 * 3600,
  }
  const { jobNumber, agents } = await manc.emulator.spinUp([
    { access_point_type: 'WiFi', name: 'Campus WiFi', num_access_points: 10, num_devices: 30, ...all },
    { access_point_type: '5G', name: 'Campus 5G cell', num_access_points: 5, num_devices: 40, ...all },
    { access_point_type: 'LiFi', name: 'LiFi lamp', num_access_points: 5, num_devices: 24, ...all },
  ])
  process.stdout.write(`Started ${agents.length} emulated access points, job ${jobNumber}.\n`)
}
