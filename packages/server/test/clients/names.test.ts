import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { ClientNames } from '../../src/modules/clients/client-names.service.ts'
import { ClientStore } from '../../src/modules/clients/clients.store.ts'
import { Secrets } from '../../src/secrets.ts'

const [first, second] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string]
const by = { kind: 'service' as const, name: 'test' }

it('ids of clients stay the same when the data key is rotated', async ({ environment }) => {
  const log = createLog('silent')
  const url = environment.databaseUrl
  const postgres = new Postgres({ url, connections: 2, log, metrics: new Metrics(log), timeoutMs: 20_000 })
  const store = new ClientStore(postgres)
  const namesWith = (secrets: Secrets) => new ClientNames({ postgres, store, secrets, isPseudonymous: true })
  const idWith = async (names: ClientNames, isEmulated = false) =>
    (await names.reader())('02:00:00:00:00:01', isEmulated)
  try {
    const before = namesWith(new Secrets({ dataKey: first }))
    const id = await idWith(before)
    expect(id).toMatch(/^c[\da-f]{20}$/)
    // An agent cannot claim a client of an emulation, and no emulation one of an agent.
    expect(await idWith(before, true)).not.toBe(id)
    const both = namesWith(new Secrets({ dataKey: second, otherDataKeys: [first] }))
    expect(await idWith(both)).toBe(id)
    expect(await Array.fromAsync(both.reencrypt(by))).toEqual([1])
    expect(await Array.fromAsync(both.reencrypt(by))).toEqual([])
    const after = namesWith(new Secrets({ dataKey: second }))
    expect(await idWith(after)).toBe(id)
    expect(await after.countByKey()).toEqual([{ keyId: new Secrets({ dataKey: second }).keyId, rows: 1 }])
    await expect(idWith(namesWith(new Secrets({ dataKey: first })))).rejects.toThrow('data key')
  } finally {
    await postgres.stop()
  }
})
