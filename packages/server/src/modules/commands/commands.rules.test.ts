import { describe, expect, it } from 'vitest'
import { acceptsCommand } from './commands.rules.ts'

describe('an agent accepts', () => {
  it.each([
    ['any command, if it lists none', {}, 'reboot', true],
    ['a listed command', { commands: ['reboot'] }, 'reboot', true],
    ['a listed command with arguments', { commands: ['set_power'] }, ' set_power 20', true],
    ['no other command than those listed', { commands: ['reboot'] }, 'set_power 20', false],
    ['no command, if its list is empty', { commands: [] }, 'reboot', false],
    ['any command, if `commands` is a text', { commands: 'set_power' }, 'reboot', true],
    ['any command, if `commands` is an object', { commands: { reboot: false } }, 'reboot', true],
    ['any command, if `commands` is a list of numbers', { commands: [1, 2] }, 'reboot', true],
    ['any command, if `commands` is a list of objects', { commands: [{ name: 'x' }] }, 'reboot', true],
    ['any command, if only some items are texts', { commands: ['set_power', null] }, 'reboot', true],
  ])('%s', (_title, configuration, command, accepted) => {
    expect(acceptsCommand(JSON.stringify(configuration), command)).toBe(accepted)
  })
})
