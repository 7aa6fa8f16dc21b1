import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brokerManagement, runServerCommand, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

const guide = path.join(import.meta.dirname, '../../../../docs/operations/running.md')

/** What the guide grants for the time of the command. */
function documentedPermissions() {
  const line = readFileSync(guide, 'utf8').match(
    /set_permissions -p \/ manc\.disconnect '(.*)' '(.*)' '(.*)'/,
  )
  const [, configure, write, read] = line ?? []
  return { configure, write, read }
}

it('the number of queues is changed by a user with the permissions of the guide, and not without them', async ({
  environment,
}) => {
  const { engines, virtualHost, variables } = environment
  const url = new URL(engines.rabbitmqManagement)
  url.username = uniqueName('manc.disconnect')
  url.password = 'management-password'
  await brokerManagement(engines, 'PUT', `/api/users/${url.username}`, {
    password: url.password,
    tags: 'administrator',
  })
  const setQueues = () =>
    runServerCommand(['telemetry-queues', '9'], { ...variables, MANC_RABBITMQ_MANAGEMENT_URL: url.href })
  const refused = await setQueues()
  expect(refused.code).not.toBe(0)
  expect(refused.output).toContain('may not change queues. Give it permissions for the time of this command')
  expect(refused.output).not.toContain(url.password)
  await brokerManagement(
    engines,
    'PUT',
    `/api/permissions/${virtualHost}/${url.username}`,
    documentedPermissions(),
  )
  expect(await setQueues()).toMatchObject({ code: 0, output: expect.stringContaining('9 queues are bound') })
  const bindings = (await brokerManagement(
    engines,
    'GET',
    `/api/queues/${virtualHost}/manc.telemetry.8/bindings`,
  )) as { source: string }[]
  expect(bindings.map(({ source }) => source).toSorted()).toEqual(['', 'manc.probes', 'manc.telemetry'])
}, 300_000)
