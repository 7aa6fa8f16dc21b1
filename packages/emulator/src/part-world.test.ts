import type { PartMessage } from '@manc/contract/emulation-parts'
import { describe, expect, it } from 'vitest'
import { PartWorld, worldOf } from './part-world.ts'

const begin = Date.UTC(2026, 2, 10, 8)
const jobNumber = '0123abcd-0000-4000-8000-000000000000'

function messageOf(more: object = {}): PartMessage {
  const types = ['5G', 'WiFi', 'LiFi']
  return {
    job_number: jobNumber,
    task_type: 'emulator_spinup',
    data: {
      part: 2,
      parts: 3,
      begins_at: new Date(begin).toISOString(),
      specs: Object.fromEntries(
        types.map((type, n) => [
          n,
          {
            access_point_type: type,
            num_access_points: 5,
            num_devices: 12,
            duration: 900,
            scenario: 'rush_hour',
            seed: 'part',
            ...more,
          },
        ]),
      ),
      agents: types.flatMap((type, spec) =>
        Array.from({ length: 5 }, (_, n) => ({
          ap_id: `emu-${type.toLowerCase()}-0123abcd-${spec * 5 + n + 1}`,
          password: 'x',
          spec,
          latitude: 51.45 + n / 10_000,
          longitude: -2.6,
        })),
      ),
    },
  }
}

const ids = messageOf().data.agents.map(({ ap_id: id }) => id)

function catchUp(world: PartWorld, ms: number): void {
  let isThere = false
  while (!isThere) isThere = world.advance(ms)
}

/** Seconds as they come: early, late, several at once. */
const momentsMs = [100, 900, 1050, 2400, 2900, 3001, 7500, 8000, 9999, 10_000, 30_250, 30_900, 60_000]

describe('a world in real time', () => {
  it('has the same values as in accelerated time, also with commands and after pauses', () => {
    const real = new PartWorld(messageOf())
    const accelerated = worldOf(messageOf())
    for (const ms of momentsMs) {
      catchUp(real, begin + ms)
      while (accelerated.second < Math.floor(ms / 1000)) accelerated.step()
      for (const id of ids) expect(real.sampleOf(id)).toEqual(accelerated.sampleOf(id))
      if (ms !== 3001) continue
      for (const command of ['set_power 10', 'steer_client']) {
        expect(real.command(ids[5] ?? '', command)).toEqual(accelerated.command(ids[5] ?? '', command))
      }
    }
  })

  it('computes the last two minutes only when it begins later', () => {
    const real = new PartWorld(messageOf())
    catchUp(real, begin + 600_000)
    const late = worldOf(messageOf(), 480)
    while (late.second < 600) late.step()
    for (const id of ids) expect(real.sampleOf(id)).toEqual(late.sampleOf(id))
  })

  it('is in its first second before its begin, by a clock that is behind', () => {
    const real = new PartWorld(messageOf())
    expect(real.advance(begin - 5000)).toBe(true)
    expect(real.sampleOf(ids[0] ?? '')).toBeDefined()
  })
})

describe('the world of a part', () => {
  it('is the same for the same seed in another job, apart from the ids', () => {
    const other = messageOf()
    other.job_number = '89abcdef-0000-4000-8000-000000000000'
    const [one, same] = [worldOf(messageOf()), worldOf(other)]
    for (let s = 0; s < 30; s++) {
      one.step()
      same.step()
    }
    for (const id of ids) expect(same.sampleOf(id)).toEqual(one.sampleOf(id))
    expect([one.clientId(0), same.clientId(0)]).toEqual([
      'emu-client-0123abcd-2-1',
      'emu-client-89abcdef-2-1',
    ])
  })

  it('has the optional fields of the request: mobility, traffic, rooms and floors', () => {
    const text = (more: object) => {
      const world = worldOf(messageOf(more))
      for (let s = 0; s < 20; s++) world.step()
      return JSON.stringify(ids.map((id) => world.sampleOf(id)))
    }
    const plain = text({})
    for (const more of [{ mobility: 'walking' }, { client_mix: { upload: 1 } }, { room_m: 2 }, { floors: 3 }])
      expect(text(more)).not.toBe(plain)
  })
})
