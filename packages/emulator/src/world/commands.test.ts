import { describe, expect, it } from 'vitest'
import { type Technology, technologies } from '../radio/index.ts'
import { ap, campus, present, run, worldOf } from './test-worlds.ts'
import type { World } from './world.ts'

const network = () => {
  const hall = { devices: 60, seed: 'hall', mobility: 'sitting' } as const
  const specs = {
    '5G': ap('5G', [30, 20], { devices: 30, seed: 'street', mobility: 'sitting' }),
    WiFi: ap('WiFi', [0], hall),
    LiFi: ap('LiFi', [3], { devices: 6, seed: 'lamp', mobility: 'sitting' }),
    far: ap('WiFi', [500], { seed: 'far' }),
  }
  const world = run(worldOf(Object.values(specs)), 60)
  return {
    world,
    specs,
    send: (who: keyof typeof specs, text: string) => world.command(specs[who].id, text) as any,
  }
}

const metric = (world: World, id: string, name: string) => world.sampleOf(id)?.[name] ?? Number.NaN
const clientsAt = (world: World, id: string) => present(world).filter(({ accessPoint }) => accessPoint === id)
describe('steer_client <client> <ap_id>', () => {
  it('moves the client, which stays for five minutes, and reports the interruption', () => {
    const { world, specs, send } = network()
    let moved: any
    for (const { id } of clientsAt(world, specs.WiFi.id)) {
      moved = send('WiFi', `steer_client ${id} ${specs['5G'].id}`)
      if (moved.moved) break
    }
    expect(moved).toMatchObject({
      done: 'steer_client',
      to: specs['5G'].id,
      moved: true,
      status: 0,
      interruption_ms: 500,
    })
    const client = world.clientOf(moved.client) as number
    run(world, 250, () => {
      // It may leave, and then is attached to none.
      expect([specs['5G'].id, undefined]).toContain(world.clientState(client).accessPoint)
    })
    // WiFi is preferred again when the five minutes are over.
    run(world, 70)
    expect([specs.WiFi.id, undefined]).toContain(world.clientState(client).accessPoint)
  })

  it('is in the moves of the next second and counts as a handover', () => {
    const { world, specs, send } = network()
    let answer: any = { moved: false }
    for (const one of clientsAt(world, specs.WiFi.id))
      if (!answer.moved) answer = send('WiFi', `steer_client ${one.id} ${specs['5G'].id}`)
    world.step()
    expect(world.moves.find(({ cause }) => cause === 'steered')).toMatchObject({
      client: world.clientOf(answer.client),
    })
    expect(metric(world, specs.WiFi.id, 'handovers')).toBeGreaterThanOrEqual(1)
  })

  it('reports a refusal with a status of 802.11v and its cause', () => {
    const { world, specs, send } = network()
    const causes = new Set<string>()
    for (const { id } of clientsAt(world, specs.WiFi.id))
      for (const target of ['far', 'LiFi'] as const) {
        const state = world.clientState(world.clientOf(id) as number)
        if (state.accessPoint !== specs.WiFi.id) continue
        const { moved, status, cause } = send('WiFi', `steer_client ${id} ${specs[target].id}`)
        if (!moved) causes.add(`${status}: ${cause}`)
      }
    expect(causes).toContain('1: The client does not follow requests to move.')
    expect(causes).toContain('7: The signal of the target is too weak there.')
    expect(causes).toContain('7: The client has no radio for LiFi.')
  })

  it('is refused for a client of another access point, and for a target that is not there', () => {
    const { world, specs, send } = network()
    const [own] = clientsAt(world, specs.WiFi.id)
    expect(() => send('5G', `steer_client ${own?.id} ${specs.WiFi.id}`)).toThrow(
      `${own?.id} is attached to ${specs.WiFi.id}. Send the command there.`,
    )
    expect(() => send('WiFi', `steer_client ${own?.id}`)).toThrow('Name an access point by its ap_id')
    expect(() => send('WiFi', `steer_client ${own?.id} emu-5g-89abcdef-3`)).toThrow(
      'is not in the same world',
    )
    expect(() => send('WiFi', `steer_client ${own?.id} roof-7`)).toThrow(
      'roof-7 is not an emulated access point',
    )
  })
})

describe('steer_client [<ap_id> [<count>]]', () => {
  it('hands over so many clients, with their traffic', () => {
    const { world, specs, send } = network()
    const twin = network()
    const before = clientsAt(world, specs.WiFi.id).length
    expect(send('WiFi', `steer_client ${specs['5G'].id} 5`)).toMatchObject({
      done: 'steer_client',
      steered: 5,
      arrived: 5,
      to: specs['5G'].id,
      steered_away: 5,
      steered_here: 0,
    })
    run(world, 3)
    run(twin.world, 3)
    expect(clientsAt(world, specs.WiFi.id).length).toBeLessThanOrEqual(before - 4)
    for (const name of ['clients', 'load_pct', 'throughput_mbps', 'power_w']) {
      expect(metric(world, specs.WiFi.id, name)).toBeLessThan(metric(twin.world, twin.specs.WiFi.id, name))
      expect(metric(world, specs['5G'].id, name)).toBeGreaterThan(
        metric(twin.world, twin.specs['5G'].id, name),
      )
    }
    expect(send('5G', 'set_power 41')).toMatchObject({ steered_here: 5 })
  })

  it('without a target lets one client leave for five minutes, to any other access point', () => {
    const { world, specs, send } = network()
    const before = clientsAt(world, specs.WiFi.id)
    expect(send('WiFi', 'steer_client')).toMatchObject({ steered: 1, steered_away: 1 })
    const gone = before.filter(({ client }) => world.clientState(client).accessPoint !== specs.WiFi.id)
    expect(gone).toHaveLength(1)
    run(world, 200, () => {
      expect(world.clientState(gone[0]?.client ?? -1).accessPoint).not.toBe(specs.WiFi.id)
    })
  })

  it('to an access point of another world lets clients leave, and reports that none arrived', () => {
    const { send } = network()
    expect(send('WiFi', 'steer_client emu-5g-89abcdef-300 2')).toMatchObject({
      steered: 2,
      arrived: 0,
      note: expect.stringContaining('not in the same world'),
    })
  })

  it('is refused with what to do next where it is impossible', () => {
    const { world, specs, send } = network()
    send('LiFi', 'power_off')
    run(world, 2)
    const refusals = {
      [`steer_client ${specs.LiFi.id}`]: 'is off or restarting. Switch it on, or name another.',
      [`steer_client ${specs.WiFi.id}`]: 'that they are attached to. Name another',
      'steer_client roof-7': 'roof-7 is not an emulated access point. Name one by its ap_id',
      [`steer_client ${specs['5G'].id} some`]: 'some is not a number of clients. Write a whole number',
      [`steer_client ${specs['5G'].id} 0`]: '0 is not a number of clients',
      [`steer_client ${specs.far.id} 2`]: 'The signal of the target is too weak there.',
      dance: 'dance is not known. There are reboot,',
    }
    for (const [command, reason] of Object.entries(refusals))
      expect(() => send('WiFi', command)).toThrow(reason)
    expect(() => send('far', `steer_client ${specs['5G'].id}`)).toThrow('There is no client to steer.')
  })

  it('that all clients refuse has the most frequent cause', () => {
    const { world, specs, send } = network()
    const causes: string[] = clientsAt(world, specs.WiFi.id).map(
      ({ id }) => send('WiFi', `steer_client ${id} ${specs.far.id}`).cause,
    )
    const weak = causes.filter((cause) => cause === 'The signal of the target is too weak there.').length
    expect(weak).toBeGreaterThan(causes.length / 2)
    expect(weak).toBeLessThan(causes.length)
    expect(() => send('WiFi', `steer_client ${specs.far.id}`)).toThrow(
      `No client has moved to ${specs.far.id}. The signal of the target is too weak there. (${weak} of ${causes.length} clients)`,
    )
  })
})

describe('a command', () => {
  const means = (technology: Technology, command: string, names: readonly string[]) => {
    const specs = campus([3, 8, 6], [30, 15, 8])
    const target = specs.find((spec) => spec.technology === technology)?.id ?? ''
    const world = run(worldOf(specs), 30)
    if (command) world.command(target, command)
    const sums = names.map(() => 0)
    run(world, 200, () =>
      names.forEach((name, n) => {
        sums[n] = (sums[n] ?? 0) + metric(world, target, name) / 200
      }),
    )
    return sums
  }

  it('set_power changes the signal, the number of clients and the power', () => {
    const signalOf = { '5G': 'rsrp_dbm', WiFi: 'rssi_dbm', LiFi: 'snr_db' }
    for (const technology of technologies) {
      // WiFi with less power sends for longer, which can cost more than it saves.
      const names = [signalOf[technology], 'tx_power_dbm', ...(technology === 'WiFi' ? [] : ['power_w'])]
      const lower = { '5G': 20, WiFi: 3, LiFi: 30 }[technology]
      const [plain, weak] = [means(technology, '', names), means(technology, `set_power ${lower}`, names)]
      names.forEach((name, n) => expect([name, (weak[n] ?? NaN) < (plain[n] ?? NaN)]).toEqual([name, true]))
    }
    expect(means('WiFi', 'set_power 0', ['clients'])[0]).toBeLessThan(
      means('WiFi', '', ['clients'])[0] ?? NaN,
    )
  })

  it('set_channel changes the width and with it the rate', () => {
    expect(means('WiFi', 'set_channel 6', ['phy_rate_mbps'])[0]).toBeLessThan(
      0.5 * (means('WiFi', '', ['phy_rate_mbps'])[0] ?? NaN),
    )
    const { send } = network()
    expect(() => send('WiFi', 'set_channel 14')).toThrow('WiFi has these channels here')
    expect(() => send('WiFi', 'set_power 60')).toThrow('WiFi sends with 0 to 23 dBm here.')
    expect(() => send('WiFi', 'set_power')).toThrow('A number is missing. Write one, as in set_power 20.')
  })

  it('sleep hands clients over before the radio is off, and wake has it back after two seconds', () => {
    const { world, specs, send } = network()
    const before = clientsAt(world, specs.WiFi.id)
    const watts = metric(world, specs.WiFi.id, 'power_w')
    const { handed_over: moved, asleep } = send('WiFi', 'sleep')
    expect(asleep).toBe(true)
    expect(moved).toBeGreaterThan(before.length / 2)
    world.step()
    expect(world.sampleOf(specs.WiFi.id)).toMatchObject({ clients: 0, throughput_mbps: 0, load_pct: 0 })
    expect(metric(world, specs.WiFi.id, 'power_w')).toBeLessThan(watts)
    // Those with another radio have lost less than a second.
    const served = before.filter(({ client }) => world.clientState(client).deliveredMbps > 0)
    expect(served.length).toBeGreaterThanOrEqual(0.8 * moved)
    run(world, 30)
    expect(send('WiFi', 'wake')).toMatchObject({ asleep: false, powered: true })
    run(world, 2)
    const uptime = metric(world, specs.WiFi.id, 'uptime_s')
    expect(uptime).toBeGreaterThan(0)
    run(world, 10)
    expect(clientsAt(world, specs.WiFi.id).length).toBeGreaterThan(before.length * 0.7)
  })

  it('sleep reports how many devices were handed over, where a client stands for several', () => {
    const hall = ap('WiFi', [0], { devices: 60_000, seed: 'hall', mobility: 'sitting' })
    const street = ap('5G', [30, 20], { seed: 'street' })
    const world = run(worldOf([hall, street]), 2)
    const before = clientsAt(world, hall.id)
    const { handed_over: devices } = world.command(hall.id, 'sleep') as any
    const moved = before.filter(({ client }) => world.clientState(client).accessPoint === street.id)
    expect(moved.length).toBeGreaterThan(0)
    expect(devices).toBe(moved.reduce((sum, { client }) => sum + world.devicesOf(client), 0))
    expect(devices).toBeGreaterThan(moved.length)
  })

  it('power_off takes the least power, until power_on boots it', () => {
    const { world, specs, send } = network()
    send('WiFi', 'power_off')
    run(world, 10)
    expect(metric(world, specs.WiFi.id, 'power_w')).toBe(3)
    expect(send('WiFi', 'power_on')).toMatchObject({ powered: true })
    run(world, 15)
    expect(metric(world, specs.WiFi.id, 'signal_quality')).toBe(0)
    run(world, 50)
    expect(clientsAt(world, specs.WiFi.id).length).toBeGreaterThan(10)
  })

  it('reboot takes 20 to 40 s, and then clients return one by one', () => {
    const { world, specs, send } = network()
    const before = clientsAt(world, specs.WiFi.id).length
    send('WiFi', 'reboot')
    let offS = 0
    world.step()
    while (metric(world, specs.WiFi.id, 'signal_quality') === 0 && offS < 60) {
      expect(world.sampleOf(specs.WiFi.id)).toMatchObject({ throughput_mbps: 0, uptime_s: 0 })
      offS += 1
      world.step()
    }
    expect(offS).toBeGreaterThanOrEqual(19)
    expect(offS).toBeLessThanOrEqual(40)
    const first = clientsAt(world, specs.WiFi.id).length
    run(world, 40)
    expect(clientsAt(world, specs.WiFi.id).length).toBeGreaterThan(first)
    expect(clientsAt(world, specs.WiFi.id).length).toBeGreaterThan(before * 0.8)
  })
})
