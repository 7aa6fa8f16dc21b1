import { describe, expect, it } from 'vitest'
import { checkSettings, readSettings, WrongSettings } from './settings.ts'

const wrong = (value: unknown): string[] => {
  try {
    checkSettings(value)
  } catch (error) {
    if (error instanceof WrongSettings) return error.message.split('\n')
    throw error
  }
  return []
}

describe('settings', () => {
  it('need no more than the address of the controller', () => {
    expect(checkSettings({ url: 'https://manc.example.org' })).toEqual({
      url: 'https://manc.example.org',
      mqttUrl: undefined,
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

  it('name every member that is wrong, and say what to write', () => {
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
      'url cannot be used. Write the address of the controller',
      'mqtt_url cannot be used. Write the address of the broker',
      'ap_id cannot be used. Write letters',
      'interval_s cannot be used. Write seconds',
      'enrolment_token cannot be used. Write the token',
      'sources cannot be used. Write a list',
      'interval is not known. There are: url,',
      'commands.report is no name',
      'commands.reboot.run cannot be used. Write the program with its whole path',
      'commands.led.run is missing',
      'commands.led.arguments cannot be used. Write a pattern',
      'commands.led.timeout_s cannot be used. Write seconds',
      'commands.led.shell is not known',
    ])
      expect(lines).toContainEqual(expect.stringContaining(start))
    expect(lines).toHaveLength(13)
  })

  it('are one object, with an address, and a password only together with its ap_id', () => {
    expect(wrong([])).toEqual([expect.stringContaining('one JSON object')])
    expect(wrong({})).toEqual([expect.stringContaining('url is missing')])
    expect(wrong({ url: 'http://x', password: 'p' })).toEqual([expect.stringContaining('ap_id is missing')])
  })

  it('never show a value, which may be a secret', () => {
    expect(
      wrong({ url: 'http://x', password: ['hunter2'], enrolment_token: { t: 'hunter2' } }).join(),
    ).not.toContain('hunter2')
  })

  it('that are not there are asked for', () => {
    expect(() => readSettings('/nowhere/settings.json')).toThrow(
      'Write one, or name another: --settings FILE',
    )
  })
})
