import { exchanges } from '@manc/contract'
import {
  brokerManagement,
  type Replica,
  runServerCommand,
  startReplica,
  startServerProcess,
  type TestEnvironment,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { storedTimes } from './stored-times.ts'
import { UpdateSender } from './update-sender.ts'

/** The time that an ingester that joins has to take its share. */
const shared = { timeout: 30_000, interval: 200 }

const startIngester = (environment: TestEnvironment) =>
  startReplica({ ...environment.variables, MANC_ROLES: 'ingester' })

/** The number of telemetry queues that each connection is the active consumer of. */
async function shares({ engines, virtualHost }: TestEnvironment): Promise<number[]> {
  const consumers = (await brokerManagement(engines, 'GET', `/api/consumers/${virtualHost}`)) as {
    active: boolean
    queue: { name: string }
    channel_details: { connection_name: string; peer_port: number }
  }[]
  const counts = new Map<number, number>()
  for (const { active, queue, channel_details: channel } of consumers)
    if (active && queue.name.startsWith(`${exchanges.telemetry}.`))
      counts.set(channel.peer_port, (counts.get(channel.peer_port) ?? 0) + 1)
  return [...counts.values()].sort((a, b) => a - b)
}

it('two, four and eight ingesters share the queues evenly, also after a rolling restart, and lose no sample', async ({
  environment,
}) => {
  const { apId, sender } = await startSender(environment)
  const ingesters: Replica[] = []
  try {
    for (const [count, expected] of [
      [1, [8]],
      [2, [4, 4]],
      [4, [2, 2, 2, 2]],
      [8, [1, 1, 1, 1, 1, 1, 1, 1]],
    ] as const) {
      while (ingesters.length < count) ingesters.push(await startIngester(environment))
      await expect.poll(() => shares(environment), shared).toEqual(expected)
    }
    for (const leaving of ingesters.splice(0, 4)) await leaving.stop()
    await expect.poll(() => shares(environment), shared).toEqual([2, 2, 2, 2])
    for (let n = 0; n < 4; n++) {
      await ingesters.shift()?.stop()
      ingesters.push(await startIngester(environment))
      await expect.poll(() => shares(environment), shared).toEqual([2, 2, 2, 2])
    }
    await expectStored(environment, apId, await sender.stop())
  } finally {
    await sender.stop()
    for (const each of ingesters) await each.stop()
  }
}, 300_000)

it('the others take over the queues of an ingester that was killed', async ({ environment }) => {
  const killed = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  let other: Replica | undefined
  try {
    await expect.poll(() => shares(environment), shared).toEqual([8])
    other = await startIngester(environment)
    await expect.poll(() => shares(environment), shared).toEqual([4, 4])
    await killed.stop('SIGKILL')
    await expect.poll(() => shares(environment), shared).toEqual([8])
  } finally {
    await killed.stop('SIGKILL')
    await other?.stop()
  }
}, 120_000)

it('the number of queues changes while agents send, and no sample is lost', async ({ environment }) => {
  const setQueues = (count: string) => runServerCommand(['telemetry-queues', count], environment.variables)
  const { apId, sender } = await startSender(environment)
  const ingester = await startIngester(environment)
  try {
    expect((await setQueues('7')).output).toContain('from 8 to 256')
    expect(await setQueues('20')).toMatchObject({ code: 0 })
    await expect.poll(() => shares(environment), shared).toEqual([20])
    expect(await setQueues('8')).toMatchObject({ code: 0 })
    await expect.poll(() => shares(environment), shared).toEqual([8])
    await expectStored(environment, apId, await sender.stop())
  } finally {
    await sender.stop()
    await ingester.stop()
    await setQueues('8')
  }
}, 180_000)

async function startSender(environment: TestEnvironment) {
  const apId = uniqueName('shared')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  return { apId, sender: new UpdateSender(environment.url, token) }
}

async function expectStored({ engines }: TestEnvironment, apId: string, sent: number[]): Promise<void> {
  expect(sent.length).toBeGreaterThan(10)
  await expect
    .poll(() => storedTimes(engines.victoria, apId), { timeout: 60_000, interval: 500 })
    .toEqual(sent)
}
