import { uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { AgentAttributesService } from '../../src/modules/ingest/agent-attributes.service.ts'
import { AgentAttributesStore } from '../../src/modules/ingest/agent-attributes.store.ts'
import { RejectedSamplesService } from '../../src/modules/ingest/rejected-samples.service.ts'
import { RejectedSamplesStore } from '../../src/modules/ingest/rejected-samples.store.ts'

const agents = 100_000

const soon = { timeout: 90_000, interval: 500 }
const log = createLog('silent')

let postgres: Postgres

it.beforeAll(({ environment }) => {
  postgres = new Postgres({ url: environment.databaseUrl, connections: 2, log, metrics: new Metrics(log) })
})
afterAll(() => postgres.stop())

function createServices() {
  const rejected = new RejectedSamplesService(new RejectedSamplesStore(postgres))
  const attributes = new AgentAttributesService({
    store: new AgentAttributesStore(postgres),
    rejected,
    maxBytes: 16_384,
    limits: new Limits(new Metrics(log)),
  })
  return { attributes, rejected }
}

it('changes of 100,000 agents, as after an outage, are written within the time limit of a statement', async ({
  environment,
}) => {
  const { attributes, rejected } = createServices()
  for (let n = 0; n < agents; n++) {
    attributes.record(`many-${n}`, { firmware: `1.${n}`, note: 'x'.repeat(200) }, Date.now())
    rejected.record(`many-${n}`, 'a reason', 1)
  }
  // As the ingester does: a flush that fails, for example because the disk is slow, is repeated.
  await expect.poll(() => attributes.flush().then(() => true, String), soon).toBe(true)
  await expect.poll(() => rejected.flush().then(() => true, String), soon).toBe(true)
  const [row] = await environment.sql(
    `select (select count(*)::int from agent_attributes where ap_id like 'many-%') as attributes,
       (select count(*)::int from refused_samples where ap_id like 'many-%') as rejected`,
  )
  expect(row).toEqual({ attributes: agents, rejected: agents })
}, 240_000)

it('a value that a late sample had before is stored when a new sample has it again', async ({
  environment,
}) => {
  const { attributes } = createServices()
  const apId = uniqueName('late')
  const firmware = async () =>
    (await environment.sql('select attributes from agent_attributes where ap_id = $1', [apId]))[0].attributes
  const now = Date.now()
  attributes.record(apId, { firmware: '2' }, now)
  await attributes.flush()
  attributes.record(apId, { firmware: '1' }, now - 60_000)
  await attributes.flush()
  expect(JSON.parse(await firmware())).toEqual({ firmware: '2' })
  attributes.record(apId, { firmware: '1' }, now + 1000)
  await attributes.flush()
  expect(JSON.parse(await firmware())).toEqual({ firmware: '1' })
  // Within one flush as well.
  attributes.record(apId, { firmware: '3' }, now + 3000)
  attributes.record(apId, { firmware: '2' }, now + 2000)
  await attributes.flush()
  expect(JSON.parse(await firmware())).toEqual({ firmware: '3' })
})
