import { expect, it } from 'vitest'
import { repeatedCommand } from './repeated-command.ts'

it('the form has the command and the recipients of an earlier request', () => {
  expect(repeatedCommand({ agent_id: 'ap-1', command: 'reboot' })).toMatchObject({
    command: 'reboot',
    idText: 'ap-1',
    areaText: '',
  })
  const area = { west: -2.6, south: 51.4, east: -2.5, north: 51.5 }
  expect(
    repeatedCommand({
      command: 'set_power 41',
      agents: ['a', 'b'],
      technology: 'LiFi',
      area,
      emulated: 'all',
    }),
  ).toEqual({
    command: 'set_power 41',
    technology: 'LiFi',
    areaText: '-2.6,51.4,-2.5,51.5',
    idText: 'a\nb',
    emulated: 'all',
  })
})
