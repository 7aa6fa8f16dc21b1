import { beforeEach, describe, expect, it } from 'vitest'
import { type Cells, runCommand } from './cell-commands.ts'
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

/** The same network twice: only one of them receives commands. */
let cells: Cells
let undisturbed: Cells

beforeEach(() => {
  const make = () => new Map(technologies.map((technology) => [idOf(technology), cellOf(technology)]))
  cells = make()
  undisturbed = make()
})

const send = (technology: Technology, text: string, nowMs = at) =>
  runCommand(cells.get(idOf(technology)) as Cell, text, { apId: idOf(technology), cells, nowMs })

/** The difference to the network without commands. */
function more(technology: Technology, metric: string, ms: number): number {
  const [one = Number.NaN, other = Number.NaN] = [cells, undisturbed].map(
    (all) => all.get(idOf(technology))?.sampleAt(ms)?.[metric],
  )
  return one - other
}

describe('steer_client with an access point', () => {
  it('hands clients over to it for five minutes, with their traffic', () => {
    for (const target of ['5G', 'LiFi'] as const) {
      const nowMs = target === '5G' ? at : at + 10 * minuteMs
      const result = send('WiFi', `steer_client ${idOf(target)} 5`, nowMs)
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
    // Their traffic moves with them.
    expect(Math.abs(more('5G', 'throughput_mbps', at) + more('WiFi', 'throughput_mbps', at))).toBeLessThan(10)
  })

  it('hands over one client by default, and never more than there are', () => {
    expect(send('WiFi', `steer_client ${idOf('5G')}`)).toMatchObject({ steered: 1, steered_away: 1 })
    const left = cells.get(idOf('WiFi'))?.sampleAt(at)?.['clients']
    expect(send('WiFi', `steer_client ${idOf('5G')} 5000`)).toMatchObject({ steered: left })
    expect(cells.get(idOf('WiFi'))?.sampleAt(at + 1)).toMatchObject({
      clients: 0,
      load_pct: 0,
      throughput_mbps: 0,
    })
    expect(cells.get(idOf('5G'))?.controlsAt(at + 1).guests).toBe((left ?? Number.NaN) + 1)
    expect(() => send('WiFi', `steer_client ${idOf('5G')} 1`, at + 1)).toThrow('There is no client to steer.')
  })

  it('does not steer guests: they return by themselves', () => {
    cells.set(idOf('LiFi'), cellOf('LiFi', 0))
    send('WiFi', `steer_client ${idOf('LiFi')} 3`)
    expect(cells.get(idOf('LiFi'))?.sampleAt(at)?.['clients']).toBe(3)
    expect(() => send('LiFi', `steer_client ${idOf('5G')}`)).toThrow('There is no client to steer.')
  })

  it('ends when the other access point is switched off or restarts', () => {
    for (const [command, nowMs] of [
      ['reboot', at],
      ['power_off', at + 10 * minuteMs],
    ] as const) {
      send('WiFi', `steer_client ${idOf('5G')} 4`, nowMs)
      send('5G', command, nowMs + minuteMs)
      expect(more('WiFi', 'clients', nowMs + minuteMs - 1)).toBe(-4)
      expect(more('WiFi', 'clients', nowMs + minuteMs)).toBe(0)
      expect(cells.get(idOf('5G'))?.controlsAt(nowMs + 2 * minuteMs).guests).toBe(0)
    }
  })

  it('gives the same samples again for the same commands', () => {
    const twin = new Map(technologies.map((technology) => [idOf(technology), cellOf(technology)]))
    for (const [who, nowMs] of [
      ['WiFi', at],
      ['WiFi', at + minuteMs],
      ['LiFi', at + 2 * minuteMs],
    ] as const) {
      send(who, `steer_client ${idOf('5G')} 2`, nowMs)
      const around = { apId: idOf(who), cells: twin, nowMs }
      runCommand(twin.get(idOf(who)) as Cell, `steer_client ${idOf('5G')} 2`, around)
    }
    for (const [id, cell] of cells)
      for (let ms = at - minuteMs; ms < at + 8 * minuteMs; ms += 7000)
        expect(twin.get(id)?.sampleAt(ms)).toEqual(cell.sampleAt(ms))
  })

  it('of another process lets clients leave, and reports that none arrived', () => {
    const result = send('WiFi', 'steer_client emu-5g-89abcdef-300 2')
    expect(result).toMatchObject({
      steered: 2,
      arrived: 0,
      note: expect.stringContaining('not run by this emulator'),
    })
    expect(more('WiFi', 'clients', at)).toBe(-2)
    expect(more('5G', 'clients', at)).toBe(0)
  })

  it('is refused with what to do next, and changes nothing, where it is impossible', () => {
    send('LiFi', 'power_off', at - minuteMs)
    const refusals = {
      [`steer_client ${idOf('LiFi')}`]: 'is off or restarting. Switch it on, or name another.',
      [`steer_client ${idOf('WiFi')}`]: 'that they are attached to. Name another',
      'steer_client roof-7': 'roof-7 is not an emulated access point. Name one by its ap_id',
      [`steer_client ${idOf('5G')} some`]: 'some is not a number of clients. Write a whole number',
      [`steer_client ${idOf('5G')} 0`]: '0 is not a number of clients',
      [`steer_client ${idOf('5G')} 1.5`]: '1.5 is not a number of clients',
    }
    for (const [command, reason] of Object.entries(refusals))
      expect(() => send('WiFi', command)).toThrow(reason)
    expect(() => send('WiFi', `steer_client ${idOf('5G')}`, startMs + 60 * minuteMs)).toThrow(
      'off or restarting',
    )
    expect(more('WiFi', 'clients', at)).toBe(0)
    expect(more('5G', 'clients', at)).toBe(0)
  })
})

describe('a command', () => {
  it('without an access point sends one client away, to no access point in particular', () => {
    expect(send('WiFi', 'steer_client')).toMatchObject({
      done: 'steer_client',
      steered: 1,
      steered_away: 1,
    })
    expect(more('WiFi', 'clients', at)).toBe(-1)
    expect(more('5G', 'clients', at) + more('LiFi', 'clients', at)).toBe(0)
  })

  it('that is unknown is refused with the list of commands', () => {
    expect(() => send('WiFi', 'dance')).toThrow('dance is not known. There are reboot,')
  })
})
