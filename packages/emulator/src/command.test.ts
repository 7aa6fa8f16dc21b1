import { beforeEach, describe, expect, it } from 'vitest'
import { type Cells, carryOut } from './command.ts'
import { Cell, type Technology, technologies } from './radio/index.ts'

const startMs = Date.UTC(2026, 2, 10, 8)
const at = startMs + 600_000
const minuteMs = 60_000
const idOf = (technology: Technology) => `emu-${technology.toLowerCase()}-0123abcd-1`
const devicesOf = { '5G': 80, WiFi: 60, LiFi: 6 }

const cellOf = (technology: Technology, devices = devicesOf[technology]) =>
  new Cell({
    technology,
    devices,
    seed: 'steering',
    scenario: 'steady',
    latitude: 48,
    longitude: 11,
    startMs,
    durationS: 3600,
  })

/** The same network twice: one gets commands, the other none. */
let cells: Cells
let plain: Cells

beforeEach(() => {
  const make = () => new Map(technologies.map((technology) => [idOf(technology), cellOf(technology)]))
  cells = make()
  plain = make()
})

const tell = (technology: Technology, command: string, nowMs = at) =>
  carryOut(cells.get(idOf(technology)) as Cell, command, { apId: idOf(technology), cells, nowMs })

/** How much more of it there is than without any command. */
function more(technology: Technology, metric: string, ms: number): number {
  const [one = Number.NaN, other = Number.NaN] = [cells, plain].map(
    (all) => all.get(idOf(technology))?.sampleAt(ms)?.[metric],
  )
  return one - other
}

describe('steer_client with an access point', () => {
  it('hands clients over to it for five minutes, with their traffic', () => {
    for (const target of ['5G', 'LiFi'] as const) {
      const nowMs = target === '5G' ? at : at + 10 * minuteMs
      const result = tell('WiFi', `steer_client ${idOf(target)} 5`, nowMs)
      expect(result).toMatchObject({ done: 'steer_client', steered: 5, to: idOf(target), arrived: 5 })
      for (const ms of [nowMs, nowMs + 1000, nowMs + 5 * minuteMs - 1]) {
        expect(more('WiFi', 'clients', ms)).toBe(-5)
        expect(more(target, 'clients', ms)).toBe(5)
        for (const metric of ['load_pct', 'throughput_mbps', 'latency_ms', 'power_w']) {
          expect([metric, more('WiFi', metric, ms) < 0, more(target, metric, ms) > 0]).toEqual([
            metric,
            true,
            true,
          ])
        }
      }
      for (const technology of ['WiFi', target] as const) {
        expect(more(technology, 'clients', nowMs - 1)).toBe(0)
        expect(more(technology, 'clients', nowMs + 5 * minuteMs)).toBe(0)
        expect(more(technology, 'load_pct', nowMs + 5 * minuteMs)).toBe(0)
      }
    }
    // What they wanted there they get here.
    expect(Math.abs(more('5G', 'throughput_mbps', at) + more('WiFi', 'throughput_mbps', at))).toBeLessThan(10)
  })

  it('hands over one where nothing else is said, and never more than there are', () => {
    expect(tell('WiFi', `steer_client ${idOf('5G')}`)).toMatchObject({ steered: 1, steered_away: 1 })
    const left = cells.get(idOf('WiFi'))?.sampleAt(at)?.['clients']
    expect(tell('WiFi', `steer_client ${idOf('5G')} 5000`)).toMatchObject({ steered: left })
    expect(cells.get(idOf('WiFi'))?.sampleAt(at + 1)).toMatchObject({
      clients: 0,
      load_pct: 0,
      throughput_mbps: 0,
    })
    expect(cells.get(idOf('5G'))?.controlsAt(at + 1).guests).toBe((left ?? Number.NaN) + 1)
    expect(() => tell('WiFi', `steer_client ${idOf('5G')} 1`, at + 1)).toThrow('There is no client to steer.')
  })

  it('leaves guests where they are: they go home by themselves', () => {
    cells.set(idOf('LiFi'), cellOf('LiFi', 0))
    tell('WiFi', `steer_client ${idOf('LiFi')} 3`)
    expect(cells.get(idOf('LiFi'))?.sampleAt(at)?.['clients']).toBe(3)
    expect(() => tell('LiFi', `steer_client ${idOf('5G')}`)).toThrow('There is no client to steer.')
  })

  it('ends when the other one is switched off or restarts', () => {
    for (const [command, nowMs] of [
      ['reboot', at],
      ['power_off', at + 10 * minuteMs],
    ] as const) {
      tell('WiFi', `steer_client ${idOf('5G')} 4`, nowMs)
      tell('5G', command, nowMs + minuteMs)
      expect(more('WiFi', 'clients', nowMs + minuteMs - 1)).toBe(-4)
      expect(more('WiFi', 'clients', nowMs + minuteMs)).toBe(0)
      expect(cells.get(idOf('5G'))?.controlsAt(nowMs + 2 * minuteMs).guests).toBe(0)
    }
  })

  it('gives the same again with the same commands', () => {
    const twin = new Map(technologies.map((technology) => [idOf(technology), cellOf(technology)]))
    for (const [who, nowMs] of [
      ['WiFi', at],
      ['WiFi', at + minuteMs],
      ['LiFi', at + 2 * minuteMs],
    ] as const) {
      tell(who, `steer_client ${idOf('5G')} 2`, nowMs)
      const around = { apId: idOf(who), cells: twin, nowMs }
      carryOut(twin.get(idOf(who)) as Cell, `steer_client ${idOf('5G')} 2`, around)
    }
    for (const [id, cell] of cells)
      for (let ms = at - minuteMs; ms < at + 8 * minuteMs; ms += 7000)
        expect(twin.get(id)?.sampleAt(ms)).toEqual(cell.sampleAt(ms))
  })

  it('of another process lets clients go, and says that they arrive nowhere', () => {
    const result = tell('WiFi', 'steer_client emu-5g-89abcdef-300 2')
    expect(result).toMatchObject({
      steered: 2,
      arrived: 0,
      note: expect.stringContaining('not run by this emulator'),
    })
    expect(more('WiFi', 'clients', at)).toBe(-2)
    expect(more('5G', 'clients', at)).toBe(0)
  })

  it('is refused with what to do, and changes nothing, where that cannot be', () => {
    tell('LiFi', 'power_off', at - minuteMs)
    const refusals = {
      [`steer_client ${idOf('LiFi')}`]: 'is off or restarting. Switch it on, or name another.',
      [`steer_client ${idOf('WiFi')}`]: 'has them already. Name another',
      'steer_client roof-7': 'roof-7 is no emulated access point. Name one by its ap_id',
      [`steer_client ${idOf('5G')} some`]: 'some is no number of clients. Say how many',
      [`steer_client ${idOf('5G')} 0`]: '0 is no number of clients',
      [`steer_client ${idOf('5G')} 1.5`]: '1.5 is no number of clients',
    }
    for (const [command, reason] of Object.entries(refusals))
      expect(() => tell('WiFi', command)).toThrow(reason)
    expect(() => tell('WiFi', `steer_client ${idOf('5G')}`, startMs + 60 * minuteMs)).toThrow(
      'off or restarting',
    )
    expect(more('WiFi', 'clients', at)).toBe(0)
    expect(more('5G', 'clients', at)).toBe(0)
  })
})

describe('a command', () => {
  it('without an access point sends one client away, to nobody in particular', () => {
    expect(tell('WiFi', 'steer_client')).toMatchObject({ done: 'steer_client', steered: 1, steered_away: 1 })
    expect(more('WiFi', 'clients', at)).toBe(-1)
    expect(more('5G', 'clients', at) + more('LiFi', 'clients', at)).toBe(0)
  })

  it('that nobody knows is refused with those that there are', () => {
    expect(() => tell('WiFi', 'dance')).toThrow('dance is not known. There are reboot,')
  })
})
