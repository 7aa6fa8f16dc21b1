import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchanges } from '@manc/contract'
import { brokerManagement, startReplica, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { startSilentProxy } from '../silent-proxy.ts'
import { UpdateSender } from '../telemetry/update-sender.ts'

const poll = { timeout: 60_000, interval: 200 }

/** So long that a pause of the machine is no silence. */
const intervalS = 3

/** An agent that sends. */
async function startSender(environment: TestEnvironment) {
  const apId = uniqueName('probed')
  const configuration = { telemetry_interval_s: intervalS }
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration })
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  const row = async () =>
    (await environment.sql('select state, since from fleet where ap_id = $1', [apId]))[0]
  return { sender: new UpdateSender(environment.url, token), row }
}

/** The permissions of the controller's user, as the production files give them. */
function productionPermissions() {
  const file = path.join(import.meta.dirname, '../../../../deploy/compose/init')
  const line = readFileSync(file, 'utf8').match(/permission manc\.server '(.*)' '(.*)' '(.*)'\)/)
  const [, configure, write, read] = line?.map((each) => each.replaceAll('\\\\', '\\')) ?? []
  return { configure, write, read }
}

/** The address of the virtual host for a user with these permissions. */
async function createBrokerUser({ engines, virtualHost, rabbitmqUrl }: TestEnvironment): Promise<string> {
  const url = new URL(rabbitmqUrl)
  url.username = uniqueName('manc.server')
  url.password = 'broker-password'
  await brokerManagement(engines, 'PUT', `/api/users/${url.username}`, { password: url.password, tags: '' })
  const permissions = productionPermissions()
  await brokerManagement(engines, 'PUT', `/api/permissions/${virtualHost}/${url.username}`, permissions)
  return url.href
}

it('an ingester with the permissions of the production files notices that an access point falls silent', async ({
  environment,
}) => {
  const ingester = await startReplica({
    ...environment.variables,
    MANC_RABBITMQ_URL: await createBrokerUser(environment),
    MANC_ROLES: 'ingester',
  })
  const { sender, row } = await startSender(environment)
  try {
    await expect.poll(row, poll).toMatchObject({ state: 'online' })
    await sender.stop()
    await expect.poll(row, poll).toMatchObject({ state: 'offline' })
    expect(ingester.logged()).not.toMatch(/ACCESS_REFUSED|access refused/i)
  } finally {
    await sender.stop()
    await ingester.stop()
  }
}, 180_000)

it('an access point that sends is not silent while nothing arrives from the broker', async ({
  environment,
}) => {
  const proxy = await startSilentProxy(environment.rabbitmqUrl)
  const ingester = await startReplica({
    ...environment.variables,
    MANC_RABBITMQ_URL: proxy.url,
    MANC_ROLES: 'ingester',
  })
  const { sender, row } = await startSender(environment)
  try {
    await expect.poll(row, poll).toMatchObject({ state: 'online' })
    const before = await row()
    proxy.isSilent = true
    // Longer than an access point may be silent until it is offline.
    await sleep(4 * intervalS * 1000)
    expect(await row()).toEqual(before)
    proxy.isSilent = false
    await sender.stop()
    await expect.poll(row, poll).toMatchObject({ state: 'offline' })
  } finally {
    proxy.isSilent = false
    await sender.stop()
    await ingester.stop()
    proxy.stop()
  }
}, 180_000)

it('no user of the production files may publish to every queue', () => {
  const { write = '' } = productionPermissions()
  expect('amq.default').not.toMatch(new RegExp(write))
  for (const exchange of Object.values(exchanges)) expect(exchange).toMatch(new RegExp(write))
})
