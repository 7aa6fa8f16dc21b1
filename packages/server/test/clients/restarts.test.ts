import { type ServerProcess, startServerProcess, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { ClientPublisher, MovingClients } from '@manc/harness/load'
import { afterAll, expect } from 'vitest'

const it = test.override('withServer', false)
const accessPoints = 20
const count = 400
const rounds = 30
const movesOfRound = 40

let environment: TestEnvironment
const processes: ServerProcess[] = []

it.beforeAll(async ({ environment: own }) => {
  environment = own
})

afterAll(async () => {
  for (const each of processes) await each.stop()
})

async function start(): Promise<ServerProcess> {
  const variables = { ...environment.variables, MANC_ROLES: 'api,subscriber', MANC_CLIENT_IDS: 'clear' }
  const started = await startServerProcess(variables)
  processes.push(started)
  return started
}

async function attachments(): Promise<string[]> {
  const rows = await environment.sql('select id, ap_id from clients where is_attached')
  return rows.map(({ id, ap_id: apId }) => `${id} ${apId}`).toSorted()
}

it('each move is stored once when subscribers are killed while moves arrive', async () => {
  const first = await start()
  await start()
  await environment.sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || n, 'x', '{}' from generate_series(0, ${accessPoints - 1}) as n`,
  )
  await environment.sql(`insert into fleet (ap_id, technology) select ap_id, 'WiFi' from agents`)
  const publisher = await ClientPublisher.open(environment.rabbitmqUrl)
  const moving = new MovingClients(count, accessPoints)
  await publisher.publish(moving.snapshots(accessPoints))
  for (let round = 0; round < rounds; round++) {
    await publisher.publish(moving.move(movesOfRound))
    await publisher.publish(moving.snapshots(1))
    // In the middle of a batch, or of the acknowledgements of one.
    if (round === 10) void first.stop('SIGKILL')
    if (round === 15) await start()
    if (round === 20) void processes[1]?.stop('SIGKILL')
  }
  await publisher.close()
  const expected = Array.from(moving.at, (accessPoint, n) => `client-${n} ap-${accessPoint}`).toSorted()
  await expect.poll(attachments, { timeout: 60_000, interval: 200 }).toEqual(expected)
  const [{ moves }] = await environment.sql(
    `select count(*)::int as moves from client_history where ended = 'moved'`,
  )
  expect(moves).toBe(rounds * movesOfRound)
  const [{ counted }] = await environment.sql('select sum(clients)::int as counted from client_access_points')
  expect(counted).toBe(count)
}, 180_000)
