/** Rights of a caller. Administration is a role and never a scope, so that no API key can be granted it. */
export const scopes = {
  'agents:read': 'Read agents and their configuration',
  'metrics:read': 'Read current metrics',
  'history:read': 'Request historical data',
  'commands:send': 'Send commands to agents',
  'emulator:spinup': 'Start emulated networks',
  'clients:read': 'Read clients and their attachments',
  'alarms:read': 'Read alarms, their rules and silences',
  'alarms:write': 'Acknowledge, assign and silence alarms',
  'decisions:read': 'Read decisions of the application',
  'decisions:write': 'Record, propose and execute decisions',
  'experiments:read': 'Read experiments of the application',
  'experiments:write': 'Start, cancel and delete experiments',
  'callbacks:post': "Post results to other callers' jobs and experiments",
} as const

export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as readonly Scope[]
