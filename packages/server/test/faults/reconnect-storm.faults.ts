import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeStage, type ServerProcess, type Stage, startProcess } from '@manc/harness'
import { choosePasswords, isQuick, makeFleet, type RunningLoad, runLoad, settle } from '@manc/harness/load'
import { afterAll, beforeAll, expect, it } from 'vitest'

const withToken = 5000
const withPassword = 1000
const agents = withToken + withPassword
const metrics = 5

let stage: Stage
let servers: ServerProcess[] = []
let load: RunningLoad
let folder: string
let ledger: string

const start = (roles: string) =>
  startProcess({
    ...stage.environment,
    MANC_ROLES: roles,
    ...(roles === 'ingester' && { MANC_INTERNAL_PORT: '0' }),
  })

beforeAll(async () => {
  const [made, passwords] = await Promise.all([makeStage(), choosePasswords(withPassword)])
  stage = made
  servers = [await start('api,subscriber'), await start('ingester')]
  folder = mkdtempSync(path.join(tmpdir(), 'manc-storm-'))
  ledger = path.join(folder, 'ledger')
  const { environment, set } = stage
  load = runLoad({
    mqttUrl: set.urls.mqtt,
    httpUrls: [servers[0]?.url ?? ''],
    withToken: await makeFleet(environment, 'storm-token', withToken),
    withPassword: await makeFleet(environment, 'storm-password', withPassword, passwords),
    metrics,
    everyMs: 10_000,
    seconds: 300,
    ledger,
  })
  await load.connected
}, 240_000)

afterAll(async () => {
  load?.kill()
  for (const server of servers) await server.stop('SIGKILL')
  await stage?.set.down()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** Seconds until half of the agents, and until all, were connected again. */
async function untilAllAreBack(fromMs: number): Promise<{ medianS: number; maxS: number }> {
  const since = () => Math.round((Date.now() - fromMs) / 100) / 10
  const reached = async (count: number) => {
    while (load.now().connections < count && since() < 150) await sleep(100)
    return since()
  }
  return { medianS: await reached(agents / 2), maxS: await reached(agents) }
}

// A smaller storm is in the telemetry suite.
it.skipIf(isQuick)(
  `${withToken} agents with tokens and ${withPassword} with passwords are back a minute after the broker is, and nothing is lost`,
  async () => {
    await sleep(20_000)
    await stage.set.kill('rabbitmq')
    await stage.set.start('rabbitmq')
    const back = await untilAllAreBack(Date.now())
    load.enough()
    await load.sent
    const healedAt = Date.now()
    await load.done
    const report = await settle({ urls: stage.set.urls, ledger, prefix: 'storm', metrics, healedAt })
    console.log('report', JSON.stringify({ ...back, ...report }))
    expect(back.maxS).toBeLessThan(60)
    expect(report).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
    expect(report.readsRightAfterS).toBeLessThan(30)
    expect(report.nothingUnacknowledgedAfterS).toBeLessThan(60)
  },
  400_000,
)
