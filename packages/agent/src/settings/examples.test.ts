import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TestCa } from '@manc/harness/tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSettings } from './settings.ts'

const folder = path.join(import.meta.dirname, '../../examples')
const docs = path.join(import.meta.dirname, '../../../../docs')

let ca: TestCa
let certificates: Record<string, string>
beforeAll(() => {
  ca = new TestCa()
  const { certFile, keyFile } = ca.issue('gateway.example.org')
  certificates = { ucentral: certFile, 'ucentral-key': keyFile, 'ucentral-devices': ca.file }
})
afterAll(() => ca.remove())

/** With the maps of the examples, which the documents place in /etc/manc-agent, and certificates of a test. */
function located(text: string): unknown {
  const withCertificates = text.replaceAll(
    /\/etc\/manc-agent\/([\w-]+)\.pem/g,
    (found, name: string) => certificates[name] ?? found,
  )
  return JSON.parse(withCertificates.replaceAll('/etc/manc-agent', folder))
}

describe('examples of settings', () => {
  it.each(['gateway.json', 'snmp-access-points.json', 'ucentral-access-points.json'])(
    '%s is valid',
    (name) => {
      const { accessPoints } = checkSettings(located(readFileSync(path.join(folder, name), 'utf8')))
      expect(accessPoints.length).toBeGreaterThan(1)
    },
  )

  it.each([
    'devices.md',
    'drivers/hostapd.md',
    'drivers/prometheus.md',
    'drivers/snmp.md',
    'drivers/shell.md',
    'drivers/ucentral.md',
    'drivers/srsran.md',
    'drivers/amarisoft.md',
  ])('those in %s are valid', (name) => {
    const text = readFileSync(path.join(docs, name), 'utf8')
    const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => block)
    const settings = blocks.filter((block) => block.includes('"url":'))
    for (const block of settings) expect(checkSettings(located(block)).accessPoints).not.toEqual([])
    expect(settings.length).toBeGreaterThan(0)
  })
})
