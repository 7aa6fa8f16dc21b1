import {
  closedPort,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, expect, onTestFinished } from 'vitest'
import { CommandLine } from './command-line.ts'
import { logIn } from './environment.ts'
import { seenOn } from './terminal.ts'

const it = test.override('withServer', false)

const soon = { timeout: 30_000, interval: 200 }
const line = new CommandLine()
let environment: TestEnvironment
let server: ServerProcess
let variables: Record<string, string>

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // The same address after a restart.
  variables = {
    ...environment.variables,
    MANC_ROLES: 'api,subscriber,ingester',
    MANC_PORT: String(await closedPort()),
  }
  server = await startServerProcess(variables)
  await logIn(line, server.url)
})

afterAll(async () => {
  line.close()
  await server?.stop('SIGKILL')
})

const outage = 'The controller does not respond. Showing the last values; retrying.'

it('live views show an outage of the controller and continue after it', async () => {
  // An attempt that failed may have left it away.
  if (server.process.signalCode !== null) server = await startServerProcess(variables)
  const agent = uniqueName('outage')
  const send = (clients: number) => line.must(['agents', 'send-update', agent, `clients=${clients}`])
  await line.must(['agents', 'register', agent, '--interval', '10m'])
  await send(3)
  const metrics = () => line.json(['telemetry', 'metrics', agent])
  await expect.poll(metrics, soon).toHaveLength(1)
  const views = [['fleet'], ['telemetry', 'chart', agent], ['agents', 'watch', agent]].map((words) => {
    const running = line.inTerminal(words)
    onTestFinished(() => void running.child.kill('SIGKILL'))
    return { running, picture: () => seenOn(running.stdout()).picture.join('\n') }
  })
  const [fleet, chart, watch] = views.map(({ picture }) => picture)
  await expect.poll(() => fleet?.(), soon).toContain(agent)
  await expect.poll(() => chart?.(), soon).toMatch(/^Clients {2}3$/m)
  await expect.poll(() => watch?.(), soon).toContain('Waiting for samples')

  await server.stop('SIGKILL')
  for (const { picture } of views) await expect.poll(picture, soon).toContain(outage)
  expect(fleet?.()).toContain(agent)
  expect(chart?.()).toMatch(/^Clients {2}3$/m)

  server = await startServerProcess(variables)
  for (const { picture } of views) await expect.poll(picture, soon).not.toContain(outage)
  const shownAfterSample = async () => {
    await send(9)
    return watch?.()
  }
  await expect.poll(shownAfterSample, soon).toMatch(/clients +9/)
  await expect.poll(() => chart?.(), soon).toMatch(/^Clients {2}9$/m)
  for (const { running } of views) running.child.stdin?.write('q')
  for (const { running } of views) expect((await running.ended).code).toBe(0)
}, 120_000)
