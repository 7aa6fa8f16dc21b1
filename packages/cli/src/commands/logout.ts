import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { printDone } from '../output/print.ts'
import { type Globals, keep, profileOf } from '../profile.ts'

export function fill(command: Command): void {
  command.action(async (_options, self: Command) => {
    const globals = self.optsWithGlobals<Globals>()
    const profile = profileOf(globals)
    if (!profile?.token) return printDone(self, { logged_out: null }, 'There is no stored login.')
    const { token: _token, ...rest } = profile
    keep(globals, rest)
    await printDone(
      self,
      { logged_out: rest.username, url: rest.url },
      `Logged out ${rest.username} at ${rest.url}. The token stays valid until it expires; a new password revokes it immediately.`,
    )
  })
  examples(command, 'manc logout', 'manc logout --profile lab')
}
