import { expect, it } from 'vitest'
import {
  commonCommands,
  disruptionOf,
  explanationOf,
  listedCommands,
  progressSteps,
} from './command-texts.ts'

it('reboot, power_off and sleep need a confirmation, other commands do not', () => {
  expect(disruptionOf('Reboot')?.toOne).toContain('unavailable')
  expect(disruptionOf(' power_off now')?.toMany).toContain('power_on')
  expect(disruptionOf('sleep')?.toOne).toContain('until it receives wake')
  for (const harmless of ['set_channel 6', 'power_on', 'wake', ''])
    expect(disruptionOf(harmless)).toBeUndefined()
})

it('every suggested command is explained', () => {
  expect(commonCommands('LiFi')).toEqual(expect.arrayContaining(['sleep', 'wake', 'set_power 40']))
  for (const command of commonCommands())
    expect([command, explanationOf(command)?.at(-1)]).toEqual([command, '.'])
  expect(explanationOf('blink')).toBeUndefined()
})

it('the commands are read from the configuration of the agent', () => {
  expect(listedCommands({ commands: ['reboot', 3, 'blink'] })).toEqual(['reboot', 'blink'])
  expect(listedCommands({ commands: 'reboot' })).toBeUndefined()
})

it('the next states are shown while a command is in progress, and not after it ended', () => {
  const queued = { state: 'queued' as const, atMs: 1 }
  const failed = { state: 'failed' as const, atMs: 2 }
  expect(progressSteps([queued], false).map(({ state }) => state)).toEqual([
    'queued',
    'sent',
    'delivered',
    'succeeded',
  ])
  expect(progressSteps([queued, failed], true)).toEqual([queued, failed])
})
