import type { ListedApp, Scope } from '@manc/sdk'

/** What each scope allows. */
export const scopeLabels: Record<Scope, string> = {
  'agents:read': 'Read access points and their configuration',
  'metrics:read': 'Read current metrics and live data',
  'history:read': 'Request historical data',
  'commands:send': 'Send commands to access points',
  'emulator:spinup': 'Start emulated networks',
  'clients:read': 'Read clients and their attachments',
  'alarms:read': 'Read alarms and their rules',
  'alarms:write': 'Acknowledge and assign alarms',
  'decisions:read': 'Read its own decisions',
  'decisions:write': 'Record, propose and execute decisions',
  'experiments:read': 'Read its own experiments',
  'experiments:write': 'Start, cancel and delete experiments',
  'callbacks:post': "Post results to other callers' jobs and experiments",
}

export const scopes = Object.keys(scopeLabels) as readonly Scope[]

/** What an application does with each scope. */
export const scopeExplanations: Record<Scope, string> = {
  'agents:read': 'For lists and maps: id, name, position and state.',
  'metrics:read': 'For charts and dashboards of the last minutes to 31 days.',
  'history:read': 'For reports: all samples of a period, delivered as a job.',
  'commands:send': 'For control: the access points execute what it sends.',
  'emulator:spinup': 'For tests: it can add emulated access points.',
  'clients:read': 'For steering: which device is attached where. Ids are pseudonyms.',
  'alarms:read': 'For ticket systems and dashboards of alarms.',
  'alarms:write': 'For ticket systems: who works on an alarm.',
  'decisions:read': 'For applications that check the effect of what they decided.',
  'decisions:write':
    'For applications that steer clients or save energy. It sends commands by itself only with the right to send them.',
  'experiments:read': 'For reports of comparisons in simulated worlds.',
  'experiments:write': 'For comparisons of policies in simulated worlds. Access points are not affected.',
  'callbacks:post': 'For emulators only.',
}

export interface Permissions {
  scopes: Scope[]
  /** ID patterns. */
  agents: string[]
  priority: number
  /** Only emulated access points. */
  sandbox: boolean
}

/** Nothing is granted without a choice. */
export const newPermissions: Permissions = { scopes: [], agents: [], priority: 0, sandbox: false }

/** The permissions of a listed application. The controller reports the scopes: they depend on its settings. */
export function readPermissions({ permissions, scopes: granted, state }: ListedApp): Permissions {
  const { agents, priority } = permissions
  return {
    scopes: scopes.filter((scope) => granted.includes(scope)),
    agents: patternsOf(agents),
    priority: typeof priority === 'number' && Number.isSafeInteger(priority) ? priority : 0,
    sandbox: state === 'sandbox',
  }
}

/** The permissions to send. Other fields of the previous permissions are kept. */
export function writePermissions(
  { sandbox, ...permissions }: Permissions,
  previous: Record<string, unknown> = {},
): Record<string, unknown> {
  const rest = Object.entries(previous).filter(
    ([name]) => !['scopes', 'agents', 'priority', 'sandbox', ...scopes].includes(name),
  )
  return { ...Object.fromEntries(rest), ...permissions, ...(sandbox && { sandbox }) }
}

function patternsOf(agents: unknown): string[] {
  if (agents === undefined || agents === true) return ['*']
  return typeof agents === 'string' ? [agents] : textsOf(agents)
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
