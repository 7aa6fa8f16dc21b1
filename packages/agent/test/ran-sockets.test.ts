import { afterEach, describe, expect, it } from 'vitest'
import type { Driver } from '../src/drivers/driver.ts'
import { inTime, openDriver } from './drivers.ts'
import { RanSocket } from './peers/ran-socket.ts'

const soon = { timeout: 60_000, interval: 50 }

let peer: RanSocket | undefined
let driver: Driver | undefined

afterEach(async () => {
  await driver?.close()
  await peer?.stop()
})

const ue = (pci: number, more: object = {}) => ({
  pci,
  rnti: 17_921,
  cqi: 15,
  dl_mcs: 27,
  dl_brate: 20_000_000,
  dl_nof_ok: 90,
  dl_nof_nok: 10,
  pusch_snr_db: 26.5,
  ul_mcs: 28,
  ul_brate: 5_000_000,
  ul_nof_ok: 100,
  ul_nof_nok: 0,
  ...more,
})
const metrics = {
  timestamp: 1_700_000_000,
  cells: [
    { cell_metrics: { pci: 1 }, ue_list: [ue(1), ue(1, { cqi: 5 })] },
    { cell_metrics: { pci: 2 }, ue_list: [ue(2)] },
  ],
}

describe('the driver srsran', () => {
  it('subscribes to metrics and reads the UEs of its cell', async () => {
    peer = await RanSocket.start(undefined, ({ cmd }, socket) => {
      setImmediate(() => socket.send(JSON.stringify(metrics)))
      return { cmd }
    })
    driver = await openDriver({ driver: 'srsran', socket: peer.url, pci: 1 })
    expect((await driver.read(inTime())).readings).toEqual({
      clients: 2,
      throughput_mbps: 50,
      throughput_down_mbps: 40,
      throughput_up_mbps: 10,
      cqi: 10,
      pusch_snr_db: 26.5,
      dl_mcs: 27,
      ul_mcs: 28,
      dl_bler_pct: 10,
      ul_bler_pct: 0,
    })
    expect(peer.received).toEqual([{ cmd: 'metrics_subscribe' }])
  })

  it('reads UEs as older versions have them, and all cells without a pci', async () => {
    const old = { cells: [{ ue_list: [{ ue_container: ue(1) }, { ue_container: ue(2) }] }] }
    peer = await RanSocket.start(undefined, (_message, socket) => {
      setImmediate(() => socket.send(JSON.stringify(old)))
      return undefined
    })
    driver = await openDriver({ driver: 'srsran', socket: peer.url })
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 2, throughput_down_mbps: 40 })
  })

  it('connects again after the gNB has restarted', async () => {
    const one = await RanSocket.start(undefined, (_message, socket) => {
      setImmediate(() => socket.send(JSON.stringify(metrics)))
      return undefined
    })
    peer = one
    const reading = await openDriver({ driver: 'srsran', socket: one.url, pci: 1 })
    driver = reading
    expect((await reading.read(inTime())).readings).toMatchObject({ clients: 2 })
    one.dropConnections()
    // One that is read before the driver has noticed it fails.
    const clients = () =>
      reading.read(inTime()).then(
        ({ readings }) => readings['clients'],
        (error: Error) => error.message,
      )
    await expect.poll(clients, soon).toBe(2)
    expect(one.received).toEqual([{ cmd: 'metrics_subscribe' }, { cmd: 'metrics_subscribe' }])
  })

  it('connects again after a connection that has gone silent without an end', async () => {
    let isSilent = true
    const one = await RanSocket.start(undefined, (_message, socket) => {
      if (!isSilent) setImmediate(() => socket.send(JSON.stringify(metrics)))
      return undefined
    })
    peer = one
    driver = await openDriver({ driver: 'srsran', socket: one.url, pci: 1 })
    const waiting = new AbortController()
    const read = driver.read(waiting.signal)
    read.catch(() => {})
    await expect.poll(() => one.received.length, soon).toBe(1)
    waiting.abort(new Error('no answer'))
    await expect(read).rejects.toThrow('no answer')
    await expect.poll(() => one.connections, soon).toBe(0)
    isSilent = false
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 2 })
  })

  it('says what is wrong', async () => {
    peer = await RanSocket.start(undefined, (_message, socket) => {
      setImmediate(() => socket.send(JSON.stringify(metrics)))
      return undefined
    })
    driver = await openDriver({ driver: 'srsran', socket: peer.url, pci: 9 })
    await expect(driver.read(inTime())).rejects.toThrow('no cell with pci 9')
    const gone = await openDriver({ driver: 'srsran', socket: 'ws://127.0.0.1:1' })
    await expect(gone.read(inTime())).rejects.toThrow(/cannot be reached: .*Check the address/)
    await gone.close()
  })

  it('closes the connection at a message of more than 16 MiB, and survives what is no metric', async () => {
    let text = `{"cells": [null, 7, {"ue_list": [null, 8]}], "more": "${'x'.repeat(1000)}"}`
    peer = await RanSocket.start(undefined, (_message, socket) => {
      setImmediate(() => socket.send(text))
      return undefined
    })
    driver = await openDriver({ driver: 'srsran', socket: peer.url })
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0, throughput_mbps: 0 })
    await driver.close()
    text = `{"cells": [], "more": "${'x'.repeat(17 * 1_048_576)}"}`
    await expect(driver.read(inTime())).rejects.toThrow(
      /has closed the connection: Max payload size exceeded/,
    )
  })
})

describe('the driver amarisoft', () => {
  const cell = {
    dl_bitrate: 30e6,
    ul_bitrate: 6e6,
    dl_use_avg: 0.42,
    ul_use_avg: 0.1,
    ue_count_avg: 3,
    dl_retx: 4,
  }

  it('reads the statistics of its cell, and sets its gain', async () => {
    peer = await RanSocket.start({ message: 'ready', type: 'ENB' }, ({ message, message_id: id }) =>
      message === 'stats'
        ? {
            message,
            message_id: id,
            cpu: { global: 12.5 },
            cells: { 1: cell, 2: { ...cell, ue_count_avg: 9 } },
          }
        : { message, message_id: id },
    )
    driver = await openDriver({ driver: 'amarisoft', socket: peer.url, cell: 1 })
    expect((await driver.read(inTime())).readings).toEqual({
      clients: 3,
      load_pct: 42,
      ul_load_pct: 10,
      throughput_mbps: 36,
      throughput_down_mbps: 30,
      throughput_up_mbps: 6,
      dl_retransmissions: 4,
      cpu_load_pct: 12.5,
    })
    expect(await driver.execute?.('set_gain', ['-10'], inTime())).toEqual({ done: 'set_gain', gain_db: -10 })
    expect(peer.received.at(-1)).toMatchObject({ message: 'cell_gain', cell_id: 1, gain: -10 })
    await expect(driver.execute?.('set_gain', ['much'], inTime())).rejects.toThrow('set_gain -10')
  })

  it('says what is wrong, and connects again', async () => {
    peer = await RanSocket.start({ message: 'ready' }, ({ message, message_id: id, gain }) =>
      gain === undefined
        ? { message, message_id: id, cells: { 1: cell } }
        : { message, message_id: id, error: 'Bad gain' },
    )
    const one = await openDriver({ driver: 'amarisoft', socket: peer.url, cell: 7 })
    driver = one
    await expect(one.read(inTime())).rejects.toThrow('no cell 7')
    await expect(one.execute?.('set_gain', ['-300'], inTime())).rejects.toThrow('refuses cell_gain: Bad gain')
    peer.dropConnections()
    await expect
      .poll(
        () =>
          one.read(inTime()).then(
            () => '',
            (error: Error) => error.message,
          ),
        soon,
      )
      .toContain('no cell 7')
    expect(peer.accepted).toBe(2)
  })
})
