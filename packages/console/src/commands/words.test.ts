import { expect, it } from 'vitest'
import { listedCommands, lossOf, wayOf } from './words.ts'

it('knows which commands cost something', () => {
  expect(lossOf('reboot')).toContain('serves nobody')
  expect(lossOf(' power_off now')).toContain('power_on')
  expect(lossOf('set_channel 6')).toBeUndefined()
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
