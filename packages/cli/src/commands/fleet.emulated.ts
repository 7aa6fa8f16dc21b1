import type { FleetOptions } from '@manc/sdk'
import type { Command } from 'commander'
import { emulatedChoices, oneOf } from '../arguments.ts'

/** For a subcommand of `manc fleet`. */
export const emulatedOption = (command: Command): Command =>
  command.option('--emulated <which>', 'own (the default), all or none', oneOf(emulatedChoices))

/** `manc fleet` has the same option, and parses it as its own. */
export function emulatedOf(command: Command): FleetOptions {
  const { emulated } = command.optsWithGlobals<FleetOptions>()
  return emulated ? { emulated } : {}
}
