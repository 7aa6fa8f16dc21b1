import type { Command } from 'commander'
import { emulatedChoices, oneOf } from '../arguments.ts'

export const emulatedOption = (command: Command): Command =>
  command.option('--emulated <which>', 'own (the default), all or none', oneOf(emulatedChoices))
