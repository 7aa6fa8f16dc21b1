import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Neighbours } from '../drivers/neighbours.ts'
import { UcentralDevices } from '../drivers/ucentral/devices.ts'
import { type AccessPointSettings, checkSettings } from '../settings/settings.ts'
import { Device } from './device.ts'

let folder: string
const logged: string[] = []
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-gateway-device-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function open(script: string, more: object = {}): Promise<Device> {
  const device = { driver: 'shell', run: ['/bin/sh', '-c', script] }
  const [settings] = checkSettings({ url: 'http://localhost', device, ...more }).accessPoints
  return Device.open(settings as AccessPointSettings, {
    apId: 'ap-1',
    neighbours: new Neighbours(),
    ucentral: new UcentralDevices(),
    onReadable: () => {},
    log: (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
  })
}

describe('a device', () => {
  it('is read once for callers at the same time', async () => {
    const runs = path.join(folder, 'runs')
    const script = `echo run >>${runs}; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo load_pct=7`
    const device = await open(script)
    const { signal } = new AbortController()
    const both = Promise.all([device.read(signal), device.read(signal)])
    writeFileSync(path.join(folder, 'go'), '')
    expect(await both).toEqual([{ readings: { load_pct: 7 } }, { readings: { load_pct: 7 } }])
    expect(readFileSync(runs, 'utf8')).toBe('run\n')
    await device.read(signal)
    expect(readFileSync(runs, 'utf8')).toBe('run\nrun\n')
    device.close()
  })

  it('that does not answer in time is an error with what to do, logged once', async () => {
    const device = await open('exec sleep 600', { timeout_s: 0.2 })
    const { signal } = new AbortController()
    for (let n = 0; n < 2; n++)
      await expect(device.read(signal)).rejects.toThrow(
        'no answer within 0.2 s. Check the device and the network to it, or raise timeout_s.',
      )
    expect(logged.filter((line) => line.includes('no answer within 0.2 s'))).toHaveLength(1)
    device.close()
  })

  it('has long texts cut, and the log says when a part is left out', async () => {
    const script = `printf '{"ssid": "%s", "a\\\\nb": 1, "clients": 3}' "$(head -c 5000 /dev/zero | tr '\\0' x)"`
    const device = await open(script)
    const { readings } = await device.read(new AbortController().signal)
    expect(readings).toEqual({ ssid: 'x'.repeat(1000), clients: 3 })
    await device.read(new AbortController().signal)
    expect(logged.filter((line) => line.startsWith('a part of the reading is left out'))).toHaveLength(1)
    device.close()
  })
})
