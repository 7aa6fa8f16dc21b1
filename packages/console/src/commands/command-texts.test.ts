import { expect, it } from 'vitest'
import { disruptionOf, listedCommands, wayOf } from './command-texts.ts'

it('knows which commands cost something', () => {
  expect(disruptionOf('Reboot')?.toOne).toContain('unavailable')
  expect(disruptionOf(' power_off now')?.toMany).toContain('power_on')
  for (const harmless of ['set_channel 6', 'power_on', '']) expect(disruptionOf(harmless)).toBeUndefined()
})

it('reads the commands that an agent lists', () => {
  expect(listedCommands({ commands: ['reboot', 3, 'blink'] })).toEqual(['reboot', 'blink'])
  expect(listedCommands({ commands: 'reboot' })).toBeUndefined()
})

it('shows what comes next while a command goes well, and nothing more once it is over', () => {
  const queued = { state: 'queued' as const, atMs: 1 }
  const failed = { state: 'failed' as const, atMs: 2 }
  expect(wayOf([queued], false).map(({ state }) => state)).toEqual([
    'queued',
    'sent',
    'delivered',
    'succeeded',
  ])
  expect(wayOf([queued, failed], true)).toEqual([queued, failed])
})
