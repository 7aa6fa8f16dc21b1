import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWrtPrograms } from '../../packages/agent/test/peers/openwrt-programs.ts'
import { buildOpenWrtPackage } from './build-package.ts'

const peers = path.join(import.meta.dirname, '../../packages/agent/test/peers')
let folder: string
let packed: string
const at = (...names: string[]) => path.join(folder, ...names)
const text = (...names: string[]) => readFileSync(at(...names), 'utf8')
const unpack = (file: string, into: string) => {
  mkdirSync(into)
  execFileSync('tar', ['-xzf', file, '-C', into])
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-ipk-test-'))
  packed = buildOpenWrtPackage(at('out'), '1.2.3')
  unpack(packed, at('parts'))
  unpack(at('parts', 'control.tar.gz'), at('control'))
  unpack(at('parts', 'data.tar.gz'), at('data'))
  openWrtPrograms(at('programs'), {})
  openWrtPrograms(at('programs-with-ubus'), { ubus: 'ubus-cli.sh' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package for OpenWrt', () => {
  it('has the layout that opkg expects', () => {
    expect(path.basename(packed)).toBe('manc-agent_1.2.3-1_all.ipk')
    expect(readdirSync(at('parts')).toSorted()).toEqual(['control.tar.gz', 'data.tar.gz', 'debian-binary'])
    expect(text('parts', 'debian-binary')).toBe('2.0\n')
    expect(text('control', 'control')).toMatch(
      /^Package: manc-agent\nVersion: 1\.2\.3-1\nDepends: curl, ca-bundle\n/,
    )
    expect(text('control', 'control')).toMatch(/^Installed-Size: \d{4,5}$/m)
    expect(text('control', 'conffiles')).toBe('/etc/config/manc-agent\n')
    expect(readdirSync(at('control')).toSorted()).toEqual(['conffiles', 'control', 'postinst', 'prerm'])
  })

  it('has programs that root can run, and a configuration that only root can read', () => {
    const mode = (...names: string[]) => statSync(at(...names)).mode & 0o777
    for (const file of ['usr/bin/manc-agent', 'etc/init.d/manc-agent']) expect(mode('data', file)).toBe(0o755)
    for (const file of ['usr/libexec/manc-agent-cards', 'usr/libexec/manc-agent-wifi'])
      expect(mode('data', file)).toBe(0o755)
    for (const file of ['postinst', 'prerm']) expect(mode('control', file)).toBe(0o755)
    expect(mode('data', 'etc/config/manc-agent')).toBe(0o600)
    expect(text('data', 'lib/upgrade/keep.d/manc-agent')).toBe('/etc/manc-agent/\n')
    const listed = execFileSync('tar', ['-tvzf', at('parts', 'data.tar.gz'), '--numeric-owner'], {
      encoding: 'utf8',
    })
    for (const line of listed.trim().split('\n')) expect(line).toMatch(/^[d-]\S+ 0\/0 /)
  })

  it.each([0o000, 0o077])('is the same at each build, with each umask', (mask) => {
    const before = process.umask(mask)
    try {
      const again = buildOpenWrtPackage(at(`again-${mask}`), '1.2.3')
      expect(readFileSync(again).equals(readFileSync(packed))).toBe(true)
    } finally {
      process.umask(before)
    }
  })

  it('enables the service in an image that is being built', () => {
    mkdirSync(at('image/etc'), { recursive: true })
    writeFileSync(at('image/etc/rc.common'), 'echo "$@"\n')
    const env = { PATH: '/usr/bin:/bin', IPKG_INSTROOT: at('image') }
    const printed = execFileSync('/bin/sh', [at('control/postinst')], { env, encoding: 'utf8' })
    expect(printed).toBe(`${at('image/etc/init.d/manc-agent')} enable\n`)
  })

  it('has valid shell scripts', () => {
    for (const file of [
      'data/usr/bin/manc-agent',
      'data/usr/libexec/manc-agent-cards',
      'data/usr/libexec/manc-agent-wifi',
      'data/etc/init.d/manc-agent',
      'control/postinst',
      'control/prerm',
    ])
      execFileSync('sh', ['-n', at(file)], { stdio: 'pipe' })
  })

  it('starts the agent with what uci has, once it is enabled', () => {
    const start = (settings: Record<string, string>) => {
      const script = path.join(peers, 'rc-common.sh')
      const env = { ...settings, PATH: at('programs'), INIT: at('data/etc/init.d/manc-agent') }
      return execFileSync('sh', [script], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    }
    expect(start({ UCI_enabled: '0', UCI_url: 'https://x' })).toBe('')
    expect(start({ UCI_enabled: '1' })).toBe('')
    const lines = start({
      UCI_enabled: '1',
      UCI_url: 'https://manc.example.org',
      UCI_enrolment_token: 'enrol_1',
      UCI_password: 'p w',
      UCI_configuration: '{"technology": "WiFi"}',
      UCI_interval: '30',
    }).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'command: /usr/bin/manc-agent',
        'env: MANC_URL=https://manc.example.org',
        'env: MANC_IDENTITY=/etc/manc-agent',
        'env: MANC_STATE=/tmp/manc-agent',
        'env: MANC_ENROLMENT_TOKEN=enrol_1',
        'env: MANC_PASSWORD=p w',
        'env: MANC_CONFIGURATION={"technology": "WiFi"}',
        'env: MANC_INTERVAL=30',
        'env: MANC_CARDS=/usr/libexec/manc-agent-cards',
      ]),
    )
    expect(lines.join('\n')).not.toContain('MANC_AP_ID')
    expect(start({ UCI_enabled: '1', UCI_url: 'https://x', UCI_cards: 'phy0-ap0 phy1-ap0' })).toContain(
      'env: MANC_CARDS=phy0-ap0 phy1-ap0\n',
    )
  })

  it('reads hostapd and iwinfo through ubus, and prints nothing without it', () => {
    const read = (programs: string, program = 'manc-agent-wifi', silent = '') =>
      execFileSync('/bin/sh', [at('data/usr/libexec', program)], {
        env: { PATH: at(programs), UBUS_SILENT: silent },
        encoding: 'utf8',
      })
    const withUbus = 'programs-with-ubus'
    expect(read('programs')).toBe('')
    expect(read('programs', 'manc-agent-cards')).toBe('')
    expect(read(withUbus, 'manc-agent-cards')).toBe('phy0-ap0 phy0-ap1 phy1-ap0 ')
    // A part of the clients would look as if the others had left.
    expect(read(withUbus, 'manc-agent-wifi', 'phy0-ap1')).toBe('')
    // The mean of 40 % and 20 %: two of the three networks have the same channel.
    expect(JSON.parse(`{"ts":1${read(withUbus)}}`)).toEqual({
      ts: 1,
      clients: 3,
      rssi_dbm: -60,
      snr_db: 35,
      load_pct: 30,
    })
  })
})
