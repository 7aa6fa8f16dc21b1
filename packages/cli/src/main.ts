/** `manc`: parses the command line, loads the code of the command, runs it, and exits with an exit code. */
import { Command, CommanderError, type Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { commandRegistry, fill } from './command-registry.ts'
import { explain } from './errors.ts'
import { clean } from './output/text.ts'

const codes = `
Exit codes:
  0  success                       3  not logged in, or not allowed
  1  failure                       4  not found
  2  wrong usage                   5  controller not available
  130  interrupted with Ctrl-C, or not confirmed

Environment: MANC_URL, MANC_TOKEN, MANC_PROFILE, MANC_ENROLMENT_TOKEN, NO_COLOR,
  MANC_CA_FILE, MANC_CERT_FILE, MANC_CLIENT_KEY_FILE`

export async function main(args: string[]): Promise<void> {
  // A reader like "head" that closes the pipe is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const program = createProgram()
  const [first, ...rest] = args
  const code = await run(program, first === 'help' ? [...rest, '--help'] : args)
  // Flush first: on some systems writes to pipes are asynchronous.
  process.stdout.write('', () => process.exit(code))
}

export function createProgram(): Command {
  const program = new Command('manc')
    .description('Command line of MANC, the multi-access network controller')
    .version(manifest.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .option('--profile <name>', 'name of the stored login to use')
    .option('--url <url>', 'URL of the controller, instead of that of the login')
    .option('--ca-file <file>', 'trust this CA (PEM) instead of those of Node.js')
    .option('--cert-file <file>', 'client certificate (PEM), for a server that requires one')
    .option('--client-key-file <file>', 'key of the client certificate (PEM)')
    .option('--json', 'print JSON instead of a table')
    .option('--verbose', 'show the stack trace of an error')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: globalOptions })
    .showHelpAfterError('Add --help to see the options.')
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

/** Without those of a command for its subcommands, which they do not accept. */
function globalOptions(command: Command): Option[] {
  let root = command
  while (root.parent) root = root.parent
  return root === command ? [] : root.options.filter(({ hidden }) => !hidden)
}

async function run(program: Command, args: string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    // Commander has printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { message, code } = await explain(error, program.opts<{ url?: string }>().url)
    // The message may contain text from other users.
    process.stderr.write(`${message.split('\n').map(clean).join('\n')}\n`)
    if (program.opts()['verbose'] && error instanceof Error)
      process.stderr.write(`\n${error.stack}\n${causes(error)}`)
    return code
  }
}

const causes = ({ cause }: Error): string =>
  cause instanceof Error ? `caused by ${cause.stack}\n${causes(cause)}` : ''
