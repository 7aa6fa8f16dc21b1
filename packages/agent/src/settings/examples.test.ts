import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSettings } from './settings.ts'

const folder = path.join(import.meta.dirname, '../../examples')
const docs = path.join(import.meta.dirname, '../../../../docs')

/** With the maps of the examples, which the documents place in /etc/manc-agent. */
const located = (text: string) => JSON.parse(text.replaceAll('/etc/manc-agent', folder)) as unknown

describe('examples of settings', () => {
  it.each(['gateway.json', 'snmp-access-points.json'])('%s is valid', (name) => {
    const { accessPoints } = checkSettings(located(readFileSync(path.join(folder, name), 'utf8')))
    expect(accessPoints.length).toBeGreaterThan(1)
  })

  it.each([
    'devices.md',
    'drivers/hostapd.md',
    'drivers/prometheus.md',
    'drivers/snmp.md',
    'drivers/shell.md',
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
