import type { Command } from 'commander'
import { resources } from './generated/resources.ts'

interface Module {
  /** Adds options, subcommands and the action. */
  fill: (command: Command) => void
}

interface Entry {
  /** Its line in the help. */
  summary: string
  /** For scripts: not shown in the help. */
  isHidden?: true
  /** Absent where the generated list is the only command. */
  load?: () => Promise<Module>
}

const handWritten: Record<string, Entry> = {
  login: { summary: 'log in and store the token', load: () => import('./commands/login.ts') },
  logout: {
    summary: 'end the session and remove the stored token',
    load: () => import('./commands/logout.ts'),
  },
  whoami: { summary: 'show the current login', load: () => import('./commands/whoami.ts') },
  fleet: { summary: 'live overview of the network, like top', load: () => import('./commands/fleet.ts') },
  views: {
    summary: 'saved views of the table of access points',
    load: () => import('./commands/views.ts'),
  },
  health: {
    summary: 'health of the network, and its worst access points with reasons',
    load: () => import('./commands/health.ts'),
  },
  agents: {
    summary: 'access points: list, register, change, remove, watch',
    load: () => import('./commands/agents.ts'),
  },
  rollouts: {
    summary: 'changes of many configurations, in stages',
    load: () => import('./commands/rollouts.ts'),
  },
  enrolment: {
    summary: 'tokens with which agents register themselves',
    load: () => import('./commands/enrolment.ts'),
  },
  telemetry: {
    summary: 'metrics of access points: charts, values, history',
    load: () => import('./commands/telemetry.ts'),
  },
  clients: {
    summary: 'end-user devices and the access points that they are attached to',
    load: () => import('./commands/clients.ts'),
  },
  alarms: {
    summary: 'alarms of access points, their rules and silences',
    load: () => import('./commands/alarms.ts'),
  },
  notifications: {
    summary: 'messages about alarms: receivers, routes, deliveries',
    load: () => import('./commands/notifications.ts'),
  },
  decisions: {
    summary: 'what applications decide and propose, and its effect',
    load: () => import('./commands/decisions.ts'),
  },
  experiments: {
    summary: 'comparisons of policies in simulated worlds',
    load: () => import('./commands/experiments.ts'),
  },
  commands: {
    summary: 'send commands to one or many access points',
    load: () => import('./commands/commands.ts'),
  },
  emulate: {
    summary: 'start a network of emulated access points',
    load: () => import('./commands/emulate.ts'),
  },
  emulations: {
    summary: 'emulated networks: list, stop',
    load: () => import('./commands/emulations.ts'),
  },
  events: { summary: 'what happened in the network', load: () => import('./commands/events.ts') },
  jobs: { summary: 'asynchronous requests and their results', load: () => import('./commands/jobs.ts') },
  apps: { summary: 'third-party applications', load: () => import('./commands/apps.ts') },
  audit: { summary: 'record of changes and logins', load: () => import('./commands/audit.ts') },
  users: { summary: 'users, their roles and passwords', load: () => import('./commands/users.ts') },
  callbacks: {
    summary: 'post results to jobs',
    load: () => import('./commands/callbacks.ts'),
  },
}

const tools: Record<string, Entry> = {
  admin: {
    summary: 'create an administrator, also the first one',
    load: () => import('./commands/admin.ts'),
  },
  doctor: {
    summary: 'check the connection to the controller and its engines',
    load: () => import('./commands/doctor.ts'),
  },
  capacity: {
    summary: 'machines that a network of a given size needs',
    load: () => import('./commands/capacity.ts'),
  },
  completion: {
    summary: 'print a completion script for your shell',
    load: () => import('./commands/completion.ts'),
  },
  complete: {
    summary: 'suggestions for the completion scripts',
    isHidden: true,
    load: () => import('./commands/complete.ts'),
  },
}

const listsOnly: Record<string, Entry> = Object.fromEntries(
  Object.entries(resources).flatMap(([name, summary]) => (name in handWritten ? [] : [[name, { summary }]])),
)

/** All top-level commands, in the order of the help. */
export const commandRegistry: Readonly<Record<string, Entry>> = { ...handWritten, ...listsOnly, ...tools }

/** The code of a command is loaded when the command is used: loading all of it would double the start-up time. */
export async function fill(command: Command): Promise<void> {
  const name = command.name()
  command.helpCommand(false)
  if (name in resources) (await import('./list-command.ts')).fill(command)
  const handWrittenModule = await commandRegistry[name]?.load?.()
  handWrittenModule?.fill(command)
}
