import type { Manc, TokenData } from '@manc/sdk'
import type { Command } from 'commander'
import { collect } from '../arguments.ts'
import { explainRefusal } from '../errors.ts'
import { examples } from '../examples.ts'
import { Failure, wrongUsage } from '../failure.ts'
import { confirm, secret } from '../input.ts'
import { printDone, printNotice, printRecord } from '../output/print.ts'
import { connect, connectWithoutLogin } from '../profile.ts'

interface Options {
  role?: string[]
  password?: boolean
  passwordStdin?: boolean
  tokenStdin?: boolean
  yes?: boolean
}

export function fill(command: Command): void {
  const get = command.command('get <user>').description('show one user')
  get.action(async (name: string, _options: unknown, self: Command) =>
    show(self, await (await connect(self)).users.get(name)),
  )
  examples(get, 'manc users get operator@example.org')
  const me = command.command('me').description('show yourself')
  me.action(async (_options: unknown, self: Command) => show(self, await (await connect(self)).users.me()))
  examples(me, 'manc users me')
  fillChanges(command)
  fillWithoutLogin(command)
}

function fillChanges(command: Command): void {
  const create = withPassword(command.command('create <user>').description('create a user'))
  create
    .option('--role <role>', 'user, operator, admin or a label; can be repeated', collect)
    .action(async (username: string, { role = ['user'], passwordStdin }: Options, self: Command) => {
      const password = await secret('password', { isPiped: passwordStdin, isNew: true })
      await show(self, await (await connect(self)).users.create({ username, password, roles: role }))
    })
  examples(create, 'manc users create operator@example.org --role operator')
  const update = withPassword(
    command.command('update <user>').description('change the password or the roles of a user'),
  )
  update
    .option('--role <role>', 'the complete new roles; can be repeated', collect)
    .option('--password', 'prompt for a new password')
    .action(async (username: string, { role, password, passwordStdin }: Options, self: Command) => {
      if (!role && !password && !passwordStdin)
        throw wrongUsage('There is nothing to change. Add --role, --password or --password-stdin.')
      const manc = await connect(self)
      const passwords = password || passwordStdin ? await newPassword(manc, username, passwordStdin) : {}
      await show(self, await manc.users.update(username, { ...(role && { roles: role }), ...passwords }))
    })
  examples(
    update,
    'manc users update operator@example.org --role admin',
    'manc users update me@example.org --password',
  )
  const remove = command.command('remove <user>').description('remove a user')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (username: string, { yes }: Options, self: Command) => {
      await confirm(`Remove the user ${username}?`, yes)
      const done = await (await connect(self)).users.remove(username)
      await printDone(self, { removed: username }, done.detail)
    })
  examples(remove, 'manc users remove operator@example.org --yes')
}

/** For one's own account with the current password; from standard input that is the first line. */
async function newPassword(manc: Manc, username: string, isPiped: boolean | undefined) {
  const isOwn = ['me', await ownName(manc)].includes(username.toLowerCase())
  const current = isOwn ? await secret('current password', { isPiped }) : undefined
  const password = await secret('new password', { isPiped, isNew: true })
  return { password, ...(current !== undefined && { current_password: current }) }
}

/** Undefined for callers that are not users. */
const ownName = (manc: Manc): Promise<string | undefined> =>
  manc.users.me().then(
    ({ username }) => username?.toLowerCase(),
    () => undefined,
  )

function fillWithoutLogin(command: Command): void {
  const signUp = withPassword(command.command('signup <user>').description('sign up as a standard user'))
  signUp.action(async (username: string, { passwordStdin }: Options, self: Command) => {
    const manc = await connectWithoutLogin(self)
    const { signup } = await manc.users.signInOptions()
    if (signup === 'closed')
      throw new Failure('Sign-up is closed at this controller. Ask an administrator for an account.')
    const password = await secret('password', { isPiped: passwordStdin, isNew: true })
    await show(self, await manc.users.signUp({ username, password }))
    if (signup === 'confirmed')
      printNotice(
        'An e-mail was sent to this address. Open its link, or use its token with: manc users confirm',
      )
  })
  examples(signUp, 'manc users signup me@example.org --url https://manc.example.org')
  const confirmation = withPassword(
    command.command('confirm').description('confirm a sign-up with the token of the e-mail'),
  )
  confirmation
    .option('--token-stdin', 'read the token of the e-mail from standard input, before the password')
    .action(async ({ tokenStdin, passwordStdin }: Options, self: Command) => {
      const token = await secret('confirmation token (in the e-mail)', { isPiped: tokenStdin })
      const password = await secret('password of the sign-up', { isPiped: passwordStdin })
      const manc = await connectWithoutLogin(self)
      const user = await explainRefusal(
        'The controller does not accept this confirmation token: it is wrong, was used, or has expired. For a new one: manc users signup',
        [400],
        () => manc.users.confirmSignUp({ token, password }),
      )
      await show(self, user)
    })
  examples(
    confirmation,
    'manc users confirm',
    `printf '%s\\n' "$CONFIRMATION_TOKEN" "$PASSWORD" | manc users confirm --token-stdin --password-stdin`,
  )
  const recover = command.command('recover <user>').description('request an e-mail with a reset token')
  recover.action(async (username: string, _options: unknown, self: Command) => {
    const done = await (await connectWithoutLogin(self)).users.recoverPassword(username)
    await printDone(self, done, `${done.detail} Use the token of the e-mail with: manc users reset`)
  })
  examples(recover, 'manc users recover me@example.org')
  const reset = withPassword(command.command('reset').description('set a new password with a reset token'))
  reset
    .option('--token-stdin', 'read the token of the e-mail from standard input, before the password')
    .action(async ({ tokenStdin, passwordStdin }: Options, self: Command) => {
      const token = await secret('reset token (in the e-mail)', { isPiped: tokenStdin })
      const password = await secret('new password', { isPiped: passwordStdin, isNew: true })
      const manc = await connectWithoutLogin(self)
      const done = await explainRefusal(
        'The controller does not accept this reset token: it is wrong, was used, or has expired. For a new one: manc users recover',
        [400],
        () => manc.users.resetPassword({ token, new_password: password }),
      )
      await printDone(self, done, `${done.detail} Now: manc login`)
    })
  examples(
    reset,
    'manc users reset',
    `printf '%s\\n' "$RESET_TOKEN" "$PASSWORD" | manc users reset --token-stdin --password-stdin`,
  )
}

const withPassword = (command: Command): Command =>
  command.option('--password-stdin', 'read the password from standard input')

const show = (command: Command, user: TokenData) =>
  printRecord(command, user, { user: user.username, roles: user.roles, scopes: user.scopes?.join(' ') })
