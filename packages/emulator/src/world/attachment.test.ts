import { describe, expect, it } from 'vitest'
import type { AccessPoint } from './access-point.ts'
import { interruptionMs } from './parameters.ts'
import { ap, campus, present, run, worldOf } from './test-worlds.ts'
import type { World } from './world.ts'

const ofId = (world: World, id: string | undefined) =>
  world.accessPoints.find(({ spec }) => spec.id === id) as AccessPoint
const devicesAt = (world: World, id: string) => world.sampleOf(id)?.['clients'] ?? 0

describe('clients of 5G', () => {
  it('follow event A3: 3 dB more for 640 ms, so in two seconds in a row, and only then', () => {
    // TS 38.331 section 5.5.4.4; exact. Only 5G, so that no other technology is preferred.
    const world = worldOf(
      [0, 1, 2, 3, 4].map((n) =>
        ap('5G', [n * 120], { devices: 40, mobility: 'walking', seed: `a3 ${n}`, durationS: 2000 }),
      ),
    )
    let handovers = 0
    const faults: string[] = []
    const led = new Map<number, number>()
    run(world, 900, () => {
      const moved = new Map(world.moves.map((move) => [move.client, move]))
      for (let client = 0; client < world.clients; client++) {
        const move = moved.get(client)
        const from = move
          ? move.from
          : world.accessPoints.indexOf(ofId(world, world.clientState(client).accessPoint))
        const serving = world.accessPoints[from]
        const own = serving ? world.signalTo(client, serving) : Number.NEGATIVE_INFINITY
        if (!serving || own < -118) {
          led.delete(client)
          continue
        }
        const signals = world.accessPoints.map((one) => world.signalTo(client, one))
        const best = signals.indexOf(Math.max(...signals))
        const leads = best !== from && (signals[best] as number) > own + 3
        const isDue = leads && led.get(client) === best
        const hasRoamed = move?.cause === 'roamed'
        if (hasRoamed) handovers += 1
        if (hasRoamed && !(isDue && move.to === best)) faults.push(`${client} moved too early or elsewhere`)
        if (move === undefined && isDue) faults.push(`${client} did not move`)
        if (leads && move === undefined) led.set(client, best)
        else led.delete(client)
      }
    })
    expect(faults).toEqual([])
    expect(handovers).toBeGreaterThan(50)
  })
})

describe('clients of WiFi', () => {
  it('roam below -70 dBm to an access point that is stronger by 8 dB, as published for phones', () => {
    // Apple, About wireless roaming for enterprise: exact.
    const world = worldOf(
      [0, 1, 2, 3].map((n) => ap('WiFi', [n * 40], { devices: 40, mobility: 'walking', seed: `roam ${n}` })),
    )
    let roams = 0
    run(world, 1500, () => {
      for (const { client, from, to, cause } of world.moves) {
        if (cause !== 'roamed') continue
        roams += 1
        const [own, other] = [from, to].map((index) =>
          world.signalTo(client, world.accessPoints[index] as AccessPoint),
        ) as [number, number]
        expect(own).toBeLessThan(-70)
        expect(other - own).toBeGreaterThan(8)
      }
    })
    expect(roams).toBeGreaterThan(30)
  })
})

describe('clients with several radios', () => {
  it('prefer LiFi to WiFi to 5G where the signal is good, and are attached to at most one access point', () => {
    const world = run(worldOf(campus([2, 12, 12], [30, 10, 6])), 120)
    const counts = { '5g': 0, wifi: 0, lifi: 0 }
    for (const { accessPoint } of present(world)) {
      if (!accessPoint) continue
      counts[accessPoint.split('-')[1] as keyof typeof counts] += 1
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(5)
    let steady = 0
    for (const { client, accessPoint } of present(world)) {
      const lamps = world.accessPoints.filter(({ spec }) => spec.technology === 'LiFi')
      const best = Math.max(...lamps.map((lamp) => world.signalTo(client, lamp)))
      // A good signal for some seconds; single ones are about to change.
      if (best > 20 && accessPoint?.includes('wifi')) steady += 1
    }
    // Those without a LiFi radio.
    expect(steady).toBeLessThan(present(world).length / 4)
  })

  it('leave a blocked luminaire for WiFi after a few seconds, as in a testbed, and return', () => {
    // arXiv 2511.00210: outages of a few seconds where the loss of the connection triggers the handover.
    const lamps = [0, 1, 2].map((n) =>
      ap('LiFi', [n * 6], {
        devices: 12,
        scenario: 'lifi_beam_blocked',
        durationS: 600,
        seed: `blocked ${n}`,
        mobility: 'sitting',
      }),
    )
    const wifi = ap('WiFi', [6, 3])
    const world = worldOf([...lamps, wifi])
    const isBlocked = () => world.sampleOf(lamps[0]?.id ?? '')?.['blockage'] === 1
    run(world, 25)
    expect(isBlocked()).toBe(false)
    const before = lamps.reduce((sum, { id }) => sum + devicesAt(world, id), 0)
    expect(before).toBeGreaterThan(10)
    while (!isBlocked()) world.step()
    const victims = present(world).filter(({ accessPoint }) => accessPoint?.includes('lifi'))
    const outages = victims.map(({ client }) => ({ client, seconds: 0 }))
    for (let n = 0; n < 8; n++) {
      for (const outage of outages)
        if (world.clientState(outage.client).deliveredMbps === 0) outage.seconds += 1
      world.step()
    }
    expect(isBlocked()).toBe(true)
    expect(lamps.reduce((sum, { id }) => sum + devicesAt(world, id), 0)).toBe(0)
    expect(devicesAt(world, wifi.id)).toBeGreaterThanOrEqual(before * 0.8)
    const mean = outages.reduce((sum, { seconds }) => sum + seconds, 0) / outages.length
    expect(mean).toBeGreaterThanOrEqual(1)
    expect(mean).toBeLessThan(4)
    while (isBlocked()) world.step()
    run(world, 10)
    expect(lamps.reduce((sum, { id }) => sum + devicesAt(world, id), 0)).toBeGreaterThan(before * 0.7)
  })

  it('are interrupted for the published times: 108 ms in 5G, 60 to 400 ms in WiFi, 500 ms between technologies', () => {
    // Xu et al. 2020; Mishra, Shin and Arbaugh 2003; the assumption of studies of hybrid LiFi.
    expect([interruptionMs(0, 0), interruptionMs(1, 1), interruptionMs(2, 1)]).toEqual([108, 250, 500])
    const world = worldOf(campus([3, 12, 12], [30, 10, 6]))
    let checked = 0
    run(world, 300, () => {
      for (const { client, from, to, cause } of world.moves) {
        if (cause !== 'roamed' || to < 0 || from < 0) continue
        const { rateMbps, offeredMbps, deliveredMbps } = world.clientState(client)
        const { technology, load } = world.accessPoints[to] as AccessPoint
        if (rateMbps < 1 || load >= 1) continue
        const served = deliveredMbps / offeredMbps
        expect(served).toBeCloseTo(1 - interruptionMs(technology, technology) / 1000, 6)
        checked += 1
      }
    })
    expect(checked).toBeGreaterThan(3)
  })
})

describe('light', () => {
  it('stays in its room and on its floor', () => {
    const specs = [0, 1, 2, 3, 4, 5].map((n) =>
      ap('LiFi', [n * 5], { devices: 10, roomM: 3, floor: n % 2, seed: `room ${n}` }),
    )
    const world = run(worldOf(specs), 60)
    let attached = 0
    for (const { accessPoint, x, y } of present(world)) {
      if (!accessPoint) continue
      attached += 1
      const nearest = Math.round(x / 5) * 5
      expect(Math.abs(x - nearest)).toBeLessThanOrEqual(1.5 + 1e-6)
      expect(Math.abs(y)).toBeLessThanOrEqual(1.5 + 1e-6)
      expect(ofId(world, accessPoint).spec.longitude).toBe(specs[nearest / 5]?.longitude)
    }
    expect(attached).toBeGreaterThan(10)
    // The ground of a luminaire is wider than this room: some are outside.
    expect(attached).toBeLessThan(present(world).length)
  })

  it('is blocked by people: links fail for seconds while nothing else changes', () => {
    const world = worldOf([ap('LiFi', [0], { devices: 40, mobility: 'sitting', seed: 'people' })])
    let blocked = 0
    let seen = 0
    run(world, 600, () => {
      const sample = world.sampleOf(world.accessPoints[0]?.spec.id ?? '')
      if (!sample || sample['clients'] === 0) return
      seen += 1
      if ((sample['line_of_sight_pct'] ?? 100) < 100) blocked += 1
    })
    expect(blocked).toBeGreaterThan(seen / 20)
    expect(blocked).toBeLessThan(seen)
  })
})

describe('a 5G cell', () => {
  const meanSinr = (channel: number, devices: number) => {
    const own = ap('5G', [0], { devices: 40, seed: 'own', mobility: 'sitting' })
    const other = ap('5G', [260], { devices, seed: 'other', mobility: 'sitting' })
    const world = worldOf([own, other])
    world.command(own.id, 'set_channel 630000')
    world.command(other.id, `set_channel ${channel}`)
    let sum = 0
    run(world, 120, () => {
      sum += world.sampleOf(own.id)?.['sinr_db'] ?? 0
    })
    return sum / 120
  }

  it('interferes in proportion to its load, on its carrier only', () => {
    expect(meanSinr(630_000, 400)).toBeLessThan(meanSinr(630_000, 20) - 0.5)
    expect(meanSinr(643_332, 20)).toBeGreaterThan(meanSinr(630_000, 20))
  })
})

describe('WiFi cells on one channel', () => {
  /** Total throughput of saturated cells that hear each other. */
  const total = (count: number, channels: readonly number[]) => {
    const specs = Array.from({ length: count }, (_, n) =>
      ap('WiFi', [n * 6], { devices: 300, seed: `air ${n}`, mobility: 'sitting' }),
    )
    const world = worldOf(specs)
    specs.forEach(({ id }, n) => world.command(id, `set_channel ${channels[n % channels.length]}`))
    run(world, 30)
    let sum = 0
    let airtime = 0
    run(world, 20, () => {
      for (const { deliveredMbps, needed, available } of world.accessPoints) {
        sum += deliveredMbps / 20
        airtime += Math.min(needed, available) / 20
      }
    })
    return { sum, airtime }
  }

  it('share its airtime: n cells have as much as one, and n times as much on n channels', () => {
    // 802.11 DCF: stations that hear each other share the air. Tolerance 20 %: clients and background differ.
    const [one, apart] = [total(3, [36]), total(3, [36, 100, 149])]
    expect(one.airtime).toBeLessThanOrEqual(1)
    expect(one.airtime).toBeGreaterThan(0.75)
    expect(apart.airtime).toBeGreaterThan(2.2)
    expect(apart.sum / one.sum).toBeGreaterThan(2.4)
    expect(apart.sum / one.sum).toBeLessThan(3.6)
  })
})
