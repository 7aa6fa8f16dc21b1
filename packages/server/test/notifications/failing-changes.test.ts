import type { TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { alertOf, postAlerts } from '../alarms/agents.ts'
import { Hook } from './hook.ts'
import { clientOf, onlineAgents } from './setup.ts'

const it = test.override('variables', { MANC_WEBHOOK_PRIVATE: 'true' })
/** Changes that fail are tried again after 30 s and after 60 s. */
const patience = { timeout: 150_000, interval: 200 }
const failing = 12

let environment: TestEnvironment
const hook = new Hook()

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await hook.open()
})
afterAll(() => hook.close())

/** The database refuses every row of these access points. */
async function refuseRowsOf(apIds: readonly string[]): Promise<void> {
  await environment.sql('create table refused_agents as select unnest($1::text[]) as ap_id', [apIds])
  await environment.sql(
    `create function refuse_row() returns trigger language plpgsql as $$ begin
       if exists (select from alarms join refused_agents using (ap_id) where alarms.id = new.alarm_id) then
         raise exception 'this row is refused';
       end if;
       return new;
     end $$`,
  )
  await environment.sql(
    'create trigger refuse_row before insert on notification_alarms for each row execute function refuse_row()',
  )
}

it('changes of alarms that always fail do not hold back later ones, and are tried again', async () => {
  const client = clientOf(environment)
  const [rule, receiver] = [await client.rule(), await client.receiver(hook.url)]
  await client.route(receiver.id, { rule_ids: [rule.id], group_by: 'none' })
  const broken = await onlineAgents(environment, failing)
  const others = await onlineAgents(environment, 20)
  await refuseRowsOf(broken)
  for (const apIds of [broken, others])
    await postAlerts(
      environment,
      apIds.map((apId) => alertOf(apId, rule)),
    )
  const reported = () => hook.agents('firing').flat().toSorted()
  await expect.poll(reported, patience).toEqual(others.toSorted())
  const left = await environment.sql('select from alarm_changes')
  expect(left).toHaveLength(failing)
  expect(environment.server.logged()).toContain('a change of an alarm could not be handled for notifications')
  await environment.sql('drop trigger refuse_row on notification_alarms')
  await expect.poll(reported, patience).toEqual([...broken, ...others].toSorted())
})
