import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { AgentAttributesService } from '../../src/modules/ingest/agent-attributes.service.ts'
import { AgentAttributesStore } from '../../src/modules/ingest/agent-attributes.store.ts'
import { RejectedSamplesService } from '../../src/modules/ingest/rejected-samples.service.ts'
import { RejectedSamplesStore } from '../../src/modules/ingest/rejected-samples.store.ts'

const agents = 100_000

it('changes of 100,000 agents, as after an outage, are written within the time limit of a statement', async ({
  environment,
}) => {
  const log = createLog('silent')
  const metrics = new Metrics(log)
  const postgres = new Postgres({ url: environment.databaseUrl, connections: 2, log, metrics })
  try {
    const rejected = new RejectedSamplesService(new RejectedSamplesStore(postgres))
    const attributes = new AgentAttributesService({
      store: new AgentAttributesStore(postgres),
      rejected,
      maxBytes: 16_384,
      limits: new Limits(metrics),
    })
    for (let n = 0; n < agents; n++) {
      attributes.record(`many-${n}`, { firmware: `1.${n}`, note: 'x'.repeat(200) }, Date.now())
      rejected.record(`many-${n}`, 'a reason', 1)
    }
    await attributes.flush()
    await rejected.flush()
    const [row] = await environment.sql(
      `select (select count(*)::int from agent_attributes) as attributes,
         (select count(*)::int from refused_samples) as rejected`,
    )
    expect(row).toEqual({ attributes: agents, rejected: agents })
  } finally {
    await postgres.stop()
  }
}, 120_000)
