import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin, closedPort, createIsolatedEnvironment, startServerProcess, tokenOf } from '@manc/harness'
import { registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { Manc } from '@manc/sdk'
import type { TestProject } from 'vitest/node'
import { buildConsole } from '../../tools/console.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built console is served, over a network of 24 emulated access points. */
    console: { url: string; internalUrl: string }
  }
}

/** One controller with its console and a small network, for all browser tests of the console. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // oxlint-disable-next-line no-console -- as a tool it says what it does
  const [environment] = await Promise.all([createIsolatedEnvironment(), buildConsole(console.log)])
  const port = await closedPort()
  const url = `http://127.0.0.1:${port}`
  const server = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: 'api,subscriber,ingester',
    MANC_PORT: String(port),
    MANC_PUBLIC_URL: url,
    MANC_MAP_GEOJSON: path.join(import.meta.dirname, 'buildings.geojson'),
    MANC_MAP_ATTRIBUTION: 'Buildings of the tests',
    // Tests serve webhooks on this machine.
    MANC_WEBHOOK_PRIVATE: 'true',
    // The alarms of all tests are about the same access points.
    MANC_AGENT_EVENTS_PER_HOUR: '100000',
    // A test waits for the measurement of a decision. On a busy machine samples come some seconds late.
    MANC_DECISION_MEASURE_SECONDS: '10',
  })
  await registerEmulatorApp(url, await tokenOf(url, 'user', admin.username, admin.password))
  const emulator = startEmulator(url, environment)
  const manc = new Manc({ url, credentials: admin })
  await manc.emulator.spinUp(
    (['5G', 'WiFi', 'LiFi'] as const).map((technology) => ({
      access_point_type: technology,
      num_access_points: 8,
      locations: ['51.4585,-2.6030'],
      num_devices: 12,
      duration: 3600,
      scenario: 'steady',
      seed: 'console',
      spread_m: technology === '5G' ? 900 : 300,
    })),
  )
  await untilOnline(manc, 24)
  project.provide('console', { url, internalUrl: server.internalUrl })
  project.provide('engines', environment.engines)
  return async () => {
    emulator.process.kill('SIGKILL')
    await server.stop()
    await environment.drop()
  }
}

/** Tests take the first of a technology that is online. */
async function untilOnline(manc: Manc, count: number): Promise<void> {
  const signal = AbortSignal.timeout(240_000)
  while ((await manc.fleet.summary({ signal })).online < count) await sleep(250, undefined, { signal })
}
