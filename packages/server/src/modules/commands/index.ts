export type { CommandSetService, Verdict } from './command-sets.service.ts'
export { type CommandsModule, createCommandsModule } from './commands.module.ts'
export type { CommandService } from './commands.service.ts'
export type { PendingCommands } from './pending-commands.service.ts'
