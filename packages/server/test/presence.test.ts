import { setTimeout as sleep } from 'node:timers/promises'
import { makePlace, type Place } from '@manc/harness'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { migrate, Postgres } from '../src/engines/postgres.ts'
import { createLog } from '../src/log.ts'
import { Presence, PresenceStore } from '../src/modules/fleet/index.ts'

const log = createLog('silent')
/** As short as an interval may be: silent for a second more than that, and the verdict comes. */
const intervalS = 0.1

let place: Place
let postgres: Postgres
let store: PresenceStore

beforeAll(async () => {
  place = await makePlace(inject('engines'))
  const url = place.environment['MANC_DATABASE_URL'] ?? ''
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 4, log })
  store = new PresenceStore(postgres)
})

afterAll(async () => {
  await postgres?.stop()
  await place?.drop()
})

beforeEach(async () => {
  await sql('delete from agents')
  await sql('delete from fleet_keepers')
  await sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), ap_id, 'x', '{}' from unnest(array['a', 'b', 'c']) as ap_id`,
  )
  await sql(`insert into fleet (ap_id, interval_s) select ap_id, ${intervalS} from agents`)
})

let reads = 0
const sql = <Row extends object>(text: string): Promise<Row[]> => postgres.read(`test ${++reads}`, text, [])

async function states(): Promise<Record<string, string>> {
  const rows = await sql<{ ap_id: string; state: string }>('select ap_id, state from fleet order by ap_id')
  return Object.fromEntries(rows.map(({ ap_id, state }) => [ap_id, state]))
}

let current = true
function keeper(isCurrent: () => boolean = () => true): Presence {
  return new Presence({ store, isCurrent, log })
}

async function rounds(count: number, ...keepers: Presence[]): Promise<void> {
  for (let n = 0; n < count; n++) {
    for (const each of keepers) await each.round()
    await sleep(300)
  }
}

describe('presence', () => {
  it('writes when an agent comes and when it goes, and nothing in between', async () => {
    const one = keeper()
    one.heard('a')
    await rounds(1, one)
    expect(await states()).toEqual({ a: 'online', b: 'offline', c: 'offline' })
    const written = () => sql(`select transaction_id::text from fleet where ap_id = 'a'`)
    const before = await written()
    for (let n = 0; n < 5; n++) {
      for (let sample = 0; sample < 1000; sample++) one.heard('a')
      await rounds(1, one)
    }
    expect(await written()).toEqual(before)
    await rounds(7, one)
    expect(await states()).toMatchObject({ a: 'offline' })
    expect(await sql("select onboard from agents where ap_id in ('a', 'b') order by ap_id")).toEqual([
      { onboard: true },
      { onboard: false },
    ])
  })

  it('judges nobody while it cannot keep up with the samples', async () => {
    current = true
    const one = keeper(() => current)
    one.heard('a')
    await rounds(2, one)
    current = false
    const judgedAt = () => sql<{ judged_at: Date }>('select judged_at from fleet_keepers')
    await rounds(1, one)
    const before = await judgedAt()
    await rounds(7, one)
    expect(await states()).toMatchObject({ a: 'online' })
    expect(await judgedAt()).toEqual(before)
    current = true
    await rounds(8, one)
    expect(await states()).toMatchObject({ a: 'offline' })
  })

  it('leaves an agent to whoever hears it now', async () => {
    const [one, other] = [keeper(), keeper()]
    one.heard('a')
    await rounds(2, one, other)
    for (let n = 0; n < 8; n++) {
      other.heard('a')
      await rounds(1, one, other)
    }
    expect(await states()).toMatchObject({ a: 'online' })
    await rounds(8, one, other)
    expect(await states()).toMatchObject({ a: 'offline' })
  })

  it('takes over the agents of a keeper that is gone, and the new one notices their silence', async () => {
    const [gone, heir] = [keeper(), keeper()]
    gone.heard('a')
    gone.heard('b')
    await rounds(1, gone)
    await rounds(13, heir)
    expect(await states()).toMatchObject({ a: 'online', b: 'online' })
    await sql(
      `update fleet_keepers set alive_at = now() - interval '11 s' where alive_at < now() - interval '3 s'`,
    )
    for (let n = 0; n < 8; n++) {
      heir.heard('b')
      await rounds(1, heir)
    }
    expect(await states()).toMatchObject({ a: 'offline', b: 'online' })
    expect(await sql('select id from fleet_keepers')).toHaveLength(1)
  })

  it('hands its agents over when it stops', async () => {
    const [one, heir] = [keeper(), keeper()]
    await rounds(12, heir)
    one.heard('a')
    await one.round()
    await one.stop()
    await rounds(1, heir)
    const keepers = await sql<{ keeper: string; id: string }>(
      `select fleet.keeper, fleet_keepers.id from fleet, fleet_keepers where ap_id = 'a'`,
    )
    expect(keepers).toHaveLength(1)
    expect(keepers[0]?.keeper).toBe(keepers[0]?.id)
  })

  it('forgets an agent that is deleted', async () => {
    const one = keeper()
    one.heard('a')
    await rounds(1, one)
    await sql(`delete from agents where ap_id = 'a'`)
    one.heard('a')
    one.heard('nobody')
    await rounds(8, one)
    expect(await states()).toEqual({ b: 'offline', c: 'offline' })
  })
})
