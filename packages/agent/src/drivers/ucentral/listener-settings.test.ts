import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { TestCa } from '@manc/harness/tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidSettings } from '../../settings/invalid-settings.ts'
import { checkSettings } from '../../settings/settings.ts'

let ca: TestCa
let files: Record<string, string>

beforeAll(() => {
  ca = new TestCa()
  const { certFile, keyFile } = ca.issue('gateway')
  files = { cert_file: certFile, key_file: keyFile, client_ca_file: ca.file }
})
afterAll(() => ca.remove())

const device = (serial: string, more: object = {}) => ({ driver: 'ucentral', serial, ...more })
const settings = (ucentral: unknown, ...devices: object[]) => ({
  url: 'http://x',
  ...(ucentral !== undefined && { ucentral }),
  access_points: devices.map((each, n) => ({ ap_id: `wifi-${n}`, device: each })),
})

function wrong(value: unknown): string[] {
  try {
    checkSettings(value)
  } catch (error) {
    if (error instanceof InvalidSettings) return error.message.split('\n')
    throw error
  }
  return []
}

describe('settings of the listener for access points', () => {
  it('have the content of their files, which are watched', () => {
    const {
      ucentral,
      files: watched,
      accessPoints,
    } = checkSettings(settings(files, device('90:3c:b3:bb:1c:1a')))
    expect(ucentral).toMatchObject({ address: undefined, port: 15_002, ca: ca.pem })
    expect(ucentral?.key).toContain('PRIVATE KEY')
    expect(watched).toEqual([files['cert_file'], files['key_file'], files['client_ca_file']])
    expect(accessPoints[0]?.configuration).toEqual({ technology: 'WiFi' })
  })

  it('say how access points are authenticated', () => {
    const { client_ca_file: _ca, ...without } = files
    const either = [expect.stringContaining('ucentral is invalid. Write either client_ca_file')]
    expect(wrong(settings(without, device('a')))).toEqual(either)
    expect(wrong(settings({ ...files, allow_without_certificate: true }, device('a')))).toEqual(either)
    expect(wrong(settings({ ...without, allow_without_certificate: true }, device('a')))).toEqual([])
  })

  it('are required by the driver, and have one access point for each serial number', () => {
    expect(wrong(settings(undefined, device('a')))).toEqual([
      expect.stringContaining(
        'ucentral is missing. Write where access points with the driver ucentral connect',
      ),
    ])
    expect(wrong(settings(files, device('903cb3bb1c1a'), device('90:3C:B3:BB:1C:1A')))).toEqual([
      expect.stringContaining('access_points[1].device.serial is the same as that of access_points[0]'),
    ])
  })

  it('have serial numbers with a letter or a digit', () => {
    expect(wrong(settings(files, device('_a-1')))).toEqual([])
    for (const serial of [':', '-._', '', 'a b', 'x'.repeat(65)])
      expect(wrong(settings(files, device(serial)))).toEqual([
        expect.stringContaining('device.serial is invalid. Write the serial number of the access point'),
      ])
  })

  it('name the file that is wrong, and never its content', () => {
    const lines = (more: object) => wrong(settings({ ...files, ...more }, device('a')))
    expect(lines({ cert_file: '/nowhere.pem' })).toEqual([
      expect.stringContaining('ucentral.cert_file: /nowhere.pem cannot be read (ENOENT)'),
    ])
    expect(lines({ client_ca_file: files['key_file'] })).toEqual([
      expect.stringContaining('contains no PEM certificate'),
    ])
    const { keyFile } = ca.issue('another')
    expect(lines({ key_file: keyFile })).toEqual([
      expect.stringContaining('is not the key of the certificate'),
    ])
    expect(lines({ port: 0, tls: false })).toEqual([
      expect.stringContaining('ucentral.tls is unknown'),
      expect.stringContaining('ucentral.port is invalid. Write the port on which it listens'),
    ])
    for (const line of [...lines({ key_file: keyFile }), ...lines({ client_ca_file: files['key_file'] })])
      expect(line).not.toContain('BEGIN PRIVATE')
  })

  it('have configurations of uCentral in files', () => {
    const file = path.join(ca.folder, 'night.json')
    writeFileSync(file, '{"radios": []}')
    const night = device('a', { configurations: { night: file } })
    const { files: watched } = checkSettings(settings(files, night))
    expect(watched).toContain(file)
    writeFileSync(file, '[]')
    expect(wrong(settings(files, night))).toEqual([
      expect.stringContaining(`device.configurations.night: ${file} is no JSON object`),
    ])
    writeFileSync(file, 'the-password {')
    const problems = wrong(settings(files, night))
    expect(problems).toEqual([expect.stringContaining(`night: ${file} is not valid JSON.`)])
    expect(problems.join()).not.toContain('the-password')
    expect(wrong(settings(files, device('a', { configurations: { night: '/nowhere.json' } })))).toEqual([
      expect.stringContaining('/nowhere.json cannot be read (ENOENT)'),
    ])
  })
})
