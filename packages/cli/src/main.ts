/** `manc`: reads the command line, loads the code of that one command, runs it, and ends with an exit code. */
import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { commandRegistry, fill } from './command-registry.ts'
import { explain } from './errors.ts'
import { clean } from './output/text.ts'

const codes = `
Exit codes:
  0  it worked                     3  not logged in, or not allowed
  1  it failed                     4  there is no such thing
  2  it was called wrongly         5  the controller is away
  130  interrupted with Ctrl-C, or not confirmed

Environment: MANC_URL, MANC_TOKEN, MANC_PROFILE, MANC_ENROLMENT_TOKEN, NO_COLOR`

export async function main(words: string[]): Promise<void> {
  // A reader such as "head" that has seen enough is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const program = createProgram()
  const [first, ...rest] = words
  const code = await run(program, first === 'help' ? [...rest, '--help'] : words)
  // Written first: on some systems pipes are slower than we are.
  process.stdout.write('', () => process.exit(code))
}

export function createProgram(): Command {
  const program = new Command('manc')
    .description('Command line of MANC, the multi-access network controller')
    .version(manifest.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .option('--profile <name>', 'whose login to use, where there are several')
    .option('--url <url>', 'where the controller is, instead of where you logged in')
    .option('--json', 'for programs: JSON instead of a table')
    .option('--verbose', 'show where an error comes from')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText('after', codes)
    .exitOverride()
  for (const [name, { summary, isHidden }] of Object.entries(commandRegistry))
    program.command(name, { hidden: isHidden === true }).description(summary)
  program.hook('preSubcommand', async (_program, command) => {
    // Completion needs the options of all commands.
    for (const each of command.name() === 'complete' ? program.commands : [command]) await fill(each)
  })
  return program
}

async function run(program: Command, words: string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    // It has said what is wrong, or has shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { message, code } = await explain(error, program.opts<{ url?: string }>().url)
    // It may be in the words of somebody else.
    process.stderr.write(`${message.split('\n').map(clean).join('\n')}\n`)
    if (program.opts()['verbose'] && error instanceof Error)
      process.stderr.write(`\n${error.stack}\n${causes(error)}`)
    return code
  }
}

const causes = ({ cause }: Error): string =>
  cause instanceof Error ? `because of ${cause.stack}\n${causes(cause)}` : ''
