import { test as it } from '@manc/harness/fixture'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { AgentRates } from '../../src/modules/agent-limits/agent-rates.cache.ts'
import { SuspensionService } from '../../src/modules/agent-limits/suspensions.service.ts'
import { SuspensionStore } from '../../src/modules/agent-limits/suspensions.store.ts'
import { DisconnectionService } from '../../src/modules/disconnections/disconnections.service.ts'
import { DisconnectionStore } from '../../src/modules/disconnections/disconnections.store.ts'

const log = createLog('silent')
const metrics = new Metrics(log)
let postgres: Postgres

it.beforeAll(async ({ environment }) => {
  await environment.request('POST', '/api/v1/agents/', { ap_id: 'sender', password: 'p', configuration: {} })
  postgres = new Postgres({ url: environment.databaseUrl, connections: 2, log, metrics, timeoutMs: 20_000 })
})

afterEach(() => vi.useRealTimers())
afterAll(() => postgres.stop())

/** As in one process. What is pending is written by `flush` alone. */
function createRates(store = new SuspensionStore(postgres)) {
  const disconnections = new DisconnectionService({
    store: new DisconnectionStore(postgres),
    management: undefined,
    ownName: 'manc',
    log,
  })
  const suspensions = new SuspensionService({ postgres, store, disconnections, log })
  const rates = new AgentRates({
    messagesPerSecond: 1,
    samplesPerSecond: 1,
    bytesPerSecond: 1,
    backlogS: 2,
    limits: new Limits(new Metrics(log)),
    suspensions,
  })
  return { suspensions, rates }
}

/** Whether one more message of the agent is accepted. */
const accepts = (rates: AgentRates) => rates.accept('sender', 'messages', 1)

function block(rates: AgentRates): void {
  while (accepts(rates));
}

function advance(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

it('an agent is accepted again after a pause where too many suspensions wait for the database', () => {
  const { suspensions, rates } = createRates()
  for (let n = 0; n < 10_000; n++) suspensions.request(`other-${n}`, 'a reason', () => {})
  block(rates)
  advance(9000)
  expect(accepts(rates)).toBe(false)
  advance(2000)
  expect(accepts(rates)).toBe(true)
})

it.for(['before', 'during'] as const)(
  'an agent whose suspension is requested again %s the write of the first is accepted again after the pause',
  async (when) => {
    const { suspensions, rates } = createRates()
    suspensions.request('sender', 'a reason', () => {})
    const early = when === 'during' ? suspensions.flush() : undefined
    block(rates)
    await early
    await suspensions.flush()
    expect(accepts(rates)).toBe(false)
    const suspension = await suspensions.find('sender')
    advance((suspension?.until.getTime() ?? 0) - Date.now() + 1)
    expect(accepts(rates)).toBe(true)
  },
)

it('a suspension whose end cannot be read stays pending', async ({ environment }) => {
  const url = new URL(environment.databaseUrl)
  url.port = '1'
  const unreachable = new Postgres({ url: url.href, connections: 1, log, metrics: new Metrics(log) })
  const { suspensions, rates } = createRates(new SuspensionStore(unreachable))
  // Of an agent that is suspended already, the end is read after the transaction.
  await environment.sql(
    `insert into agent_suspensions (ap_id, reason, pause_s, until) values ('sender', 'a reason', 10, now() + interval '60 s')
     on conflict (ap_id) do update set until = excluded.until`,
  )
  block(rates)
  for (let n = 0; n < 2; n++) await expect(suspensions.flush()).rejects.toThrow('ECONNREFUSED')
  await unreachable.stop()
})
