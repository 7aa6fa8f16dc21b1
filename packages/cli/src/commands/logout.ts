import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { printDone } from '../output/print.ts'
import { connectTo, type Globals, keep, profileOf } from '../profile.ts'

export function fill(command: Command): void {
  command.action(async (_options, self: Command) => {
    const globals = self.optsWithGlobals<Globals>()
    const profile = profileOf(globals)
    if (!profile?.token) return printDone(self, { logged_out: null }, 'There is no stored login.')
    const { token, ...rest } = profile
    // Removed first: it is gone even if the controller does not respond.
    keep(globals, rest)
    const manc = await connectTo(globals, { url: rest.url, token })
    const isEnded = await manc.endSession().then(
      () => true,
      () => false,
    )
    await printDone(
      self,
      { logged_out: rest.username, url: rest.url, session_ended: isEnded },
      isEnded
        ? `Logged out ${rest.username} at ${rest.url}.`
        : `Removed the login of ${rest.username}, but the controller at ${rest.url} does not respond. Its token stays valid until it expires; a new password revokes it immediately.`,
    )
  })
  examples(command, 'manc logout', 'manc logout --profile lab')
}
