import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apIdFromMac, IdentityFile } from './identity.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-identity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the identity of a device', () => {
  it('is created once, with a password of 32 random bytes in a file that only the owner can read', () => {
    const first = new IdentityFile(folder).open('wifi-7')
    expect(first).toMatchObject({ apId: 'wifi-7', isRegistered: false })
    expect(Buffer.from(first.password, 'base64url')).toHaveLength(32)
    expect(statSync(path.join(folder, 'identity.json')).mode & 0o777).toBe(0o600)
    expect(new IdentityFile(folder).open('wifi-7')).toEqual(first)
    expect(new IdentityFile(folder).open(undefined)).toEqual(first)
    new IdentityFile(folder).save({ ...first, isRegistered: true })
    expect(new IdentityFile(folder).open(undefined).isRegistered).toBe(true)
  })

  it('is not replaced when the settings name another ap_id', () => {
    const first = new IdentityFile(folder).open('wifi-7')
    expect(() => new IdentityFile(folder).open('wifi-8')).toThrow('state_folder belongs to wifi-7')
    expect(new IdentityFile(folder).open('wifi-7')).toEqual(first)
  })

  it('is not silently replaced when its file is damaged', () => {
    writeFileSync(path.join(folder, 'identity.json'), '{"apId":')
    expect(() => new IdentityFile(folder).open('wifi-7')).toThrow('is damaged')
  })

  it('is derived from the MAC address of the first physical network card', () => {
    const card = (name: string, mac: string, isReal: boolean) => {
      mkdirSync(path.join(folder, name))
      writeFileSync(path.join(folder, name, 'address'), `${mac}\n`)
      if (isReal) mkdirSync(path.join(folder, name, 'device'))
    }
    card('br-lan', '02:00:00:00:00:01', false)
    card('eth0', '02:FC:00:00:00:01', true)
    card('eth1', '02:fc:00:00:00:02', true)
    expect(apIdFromMac(folder)).toBe('ap-02fc00000001')
    expect(() => apIdFromMac(path.join(folder, 'br-lan'))).toThrow('ap_id is missing')
  })
})
