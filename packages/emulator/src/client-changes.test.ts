import type { AgentClientsMessage } from '@manc/contract'
import { expect, it } from 'vitest'
import { ClientChanges } from './client-changes.ts'
import { type AccessPointSpec, World } from './world/index.ts'

const startMs = Date.UTC(2026, 2, 10, 8)

function network() {
  const accessPoints = (['WiFi', 'LiFi', '5G', 'WiFi'] as const).map(
    (technology, n): AccessPointSpec => ({
      id: `ap-${n}`,
      technology,
      seed: `seed ${n}`,
      latitude: 51.45 + n / 20_000,
      longitude: -2.6,
      devices: 15,
      scenario: 'rush_hour',
      durationS: 900,
      mobility: 'walking',
    }),
  )
  const world = new World({ accessPoints, startMs }, 'clients')
  return { world, changes: new ClientChanges(world, startMs), ids: accessPoints.map(({ id }) => id) }
}

/** What a controller knows that gets all messages. */
function follow(
  known: Map<string, Set<string>>,
  apId: string,
  message: AgentClientsMessage | undefined,
): void {
  if (!message) return
  const clients = message.snapshot ? new Set<string>() : (known.get(apId) ?? new Set<string>())
  for (const { client } of message.left ?? []) clients.delete(client)
  for (const { client } of message.joined ?? []) clients.add(client)
  known.set(apId, clients)
}

it('tells the same as the world, with changes alone after a first snapshot', () => {
  const { world, changes, ids } = network()
  const known = new Map<string, Set<string>>()
  let moves = 0
  for (let s = 0; s < 300; s++) {
    world.step()
    changes.record()
    moves += world.moves.length
    // Some access points report late.
    for (const [n, id] of ids.entries())
      if (s % (n + 1) === 0 || s === 299) follow(known, id, changes.take(id, s === 0))
  }
  expect(moves).toBeGreaterThan(20)
  for (const accessPoint of world.accessPoints) {
    const attached = world.clientsOf(accessPoint).map((client) => world.clientId(client))
    expect([...(known.get(accessPoint.spec.id) ?? [])].toSorted()).toEqual(attached.toSorted())
  }
})

it('has the signal in the unit of the technology, and the start of the attachment', () => {
  const { world, changes, ids } = network()
  for (let s = 0; s < 120; s++) world.step()
  const messages = ids.map((id) => changes.take(id, true)?.joined ?? [])
  for (const { snr_db: snr, signal_dbm: signal, since } of messages.flat()) {
    expect(Date.parse(since ?? '')).toBeLessThanOrEqual(startMs + 120_000)
    expect([snr, signal].filter((each) => each !== undefined).length).toBeLessThanOrEqual(1)
  }
  expect(messages[1]?.every(({ signal_dbm: signal }) => signal === undefined)).toBe(true)
})

it('has nothing to report where nothing has changed', () => {
  const { changes, ids } = network()
  expect(ids.map((id) => changes.take(id, false))).toEqual(ids.map(() => undefined))
  expect(changes.take('unknown', true)).toBeUndefined()
})

it('snapshots have the throughput and the strongest access points of each technology that a client hears', () => {
  const { world, changes, ids } = network()
  for (let s = 0; s < 60; s++) world.step()
  const clients = ids.flatMap((id) => changes.take(id, true)?.joined ?? [])
  expect(clients.length).toBeGreaterThan(10)
  for (const { client, throughput_mbps: mbps, heard = {} } of clients) {
    const number = world.clientOf(client) ?? -1
    expect(mbps).toBeCloseTo(world.clientState(number).deliveredMbps, 0)
    const signals = new Map<string, number>()
    world.heardBy(number, (index, signal) => signals.set(ids[index] ?? '', signal))
    expect(Object.keys(heard).toSorted()).toEqual([...signals.keys()].toSorted())
    for (const [id, signal] of Object.entries(heard)) expect(signal).toBeCloseTo(signals.get(id) ?? 0, 0)
  }
  world.step()
  changes.record()
  for (const each of ids.flatMap((id) => changes.take(id, false)?.joined ?? []))
    expect(each).not.toHaveProperty('heard')
})
