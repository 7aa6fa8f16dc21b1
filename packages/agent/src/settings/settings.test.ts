import { describe, expect, it } from 'vitest'
import { checkSettings, InvalidSettings, readSettings } from './settings.ts'

const wrong = (value: unknown): string[] => {
  try {
    checkSettings(value)
  } catch (error) {
    if (error instanceof InvalidSettings) return error.message.split('\n')
    throw error
  }
  return []
}

describe('settings', () => {
  it('require only the address of the controller', () => {
    expect(checkSettings({ url: 'https://manc.example.org' })).toEqual({
      url: 'https://manc.example.org',
      mqttUrl: undefined,
      tlsFiles: { ca: undefined, cert: undefined, key: undefined },
      apId: undefined,
      password: undefined,
      enrolmentToken: undefined,
      stateFolder: '/var/lib/manc-agent',
      intervalS: 10,
      keepMib: 16,
      configuration: {},
      sources: undefined,
      plugins: [],
      commands: {},
    })
  })

  it('that are invalid give an error for every invalid member, with what to write', () => {
    const lines = wrong({
      url: 'manc',
      mqtt_url: 'http://x',
      ap_id: 'a/b',
      interval_s: 0,
      enrolment_token: 7,
      sources: 'cpu',
      interval: 5,
      commands: {
        report: { run: ['/bin/true'] },
        reboot: { run: ['reboot'] },
        led: { arguments: ['('], timeout_s: 0, shell: true },
      },
    })
    for (const start of [
      'url is invalid. Write the address of the controller',
      'mqtt_url is invalid. Write the address of the broker',
      'ap_id is invalid. Write letters',
      'interval_s is invalid. Write seconds',
      'enrolment_token is invalid. Write the token',
      'sources is invalid. Write a list',
      'interval is unknown. Known members: url,',
      'commands.report is not a valid name',
      'commands.reboot.run is invalid. Write the absolute path of the program',
      'commands.led.run is missing',
      'commands.led.arguments is invalid. Write a pattern',
      'commands.led.timeout_s is invalid. Write seconds',
      'commands.led.shell is unknown',
    ])
      expect(lines).toContainEqual(expect.stringContaining(start))
    expect(lines).toHaveLength(13)
  })

  it('are one object with an address, and a password requires an ap_id', () => {
    expect(wrong([])).toEqual([expect.stringContaining('one JSON object')])
    expect(wrong({})).toEqual([expect.stringContaining('url is missing')])
    expect(wrong({ url: 'http://x', password: 'p' })).toEqual([expect.stringContaining('ap_id is missing')])
  })

  it('that are invalid give errors without the values, which may be secrets', () => {
    expect(
      wrong({ url: 'http://x', password: ['hunter2'], enrolment_token: { t: 'hunter2' } }).join(),
    ).not.toContain('hunter2')
  })

  it('that are missing give an error with the --settings option', () => {
    expect(() => readSettings('/nowhere/settings.json')).toThrow(
      'Write one, or name another: --settings FILE',
    )
  })
})
