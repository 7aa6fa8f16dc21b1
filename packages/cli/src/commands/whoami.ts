import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { printRecord } from '../output/print.ts'
import { span } from '../output/text.ts'
import { connect, type Globals, profileName, tokenOf, urlOf } from '../profile.ts'

export function fill(command: Command): void {
  command.action(show)
  examples(command, 'manc whoami', 'manc whoami --json')
}

async function show(_options: unknown, command: Command): Promise<void> {
  const manc = await connect(command)
  const globals = command.optsWithGlobals<Globals>()
  const { kind, name, expiresAt } = readClaims(tokenOf(globals)?.accessToken ?? '')
  // A request, because only the controller can tell whether the token is still valid.
  const user = kind === 'user' ? await manc.users.me() : undefined
  if (kind === 'agent') await manc.agents.get(name)
  if (kind === 'third_party_app') await manc.apps.get(name)
  const record = {
    url: urlOf(globals),
    profile: process.env['MANC_TOKEN'] ? null : profileName(globals),
    kind,
    name: user?.username ?? name,
    roles: user?.roles,
    scopes: user?.scopes,
    expires_in: Math.round((expiresAt - Date.now()) / 1000),
  }
  const { expires_in: leftS, scopes, ...rest } = record
  await printRecord(command, record, {
    ...rest,
    scopes: scopes?.join(' '),
    'token expires in': span(leftS),
  })
}

/** Claims of the token, for display only. */
function readClaims(token: string): { kind: string; name: string; expiresAt: number } {
  try {
    const { kind, sub, exp } = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    )
    return { kind: String(kind), name: String(sub), expiresAt: Number(exp) * 1000 }
  } catch {
    return { kind: 'user', name: '', expiresAt: Date.now() }
  }
}
