import { expect, it } from 'vitest'
import { disruptionOf, listedCommands, progressSteps } from './command-texts.ts'

it('reboot and power_off need a confirmation, other commands do not', () => {
  expect(disruptionOf('Reboot')?.toOne).toContain('unavailable')
  expect(disruptionOf(' power_off now')?.toMany).toContain('power_on')
  for (const harmless of ['set_channel 6', 'power_on', '']) expect(disruptionOf(harmless)).toBeUndefined()
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
