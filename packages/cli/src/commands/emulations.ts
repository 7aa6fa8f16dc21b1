import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { confirm } from '../input.ts'
import { printDone } from '../output/print.ts'
import { connect } from '../profile.ts'

export function fill(command: Command): void {
  const stop = command.command('stop <job>').description('stop an emulation and remove its access points')
  stop
    .option('--yes', 'do not ask for confirmation')
    .action(async (job: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Stop the emulation ${job} and remove its access points?`, options.yes)
      const done = await (await connect(self)).emulations.stop(job)
      await printDone(self, { stopped: job }, done.detail)
    })
  examples(stop, 'manc emulations stop 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11 --yes')
}
