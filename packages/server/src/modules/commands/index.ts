export { type CommandsModule, createCommandsModule } from './commands.module.ts'
export type { CommandService } from './commands.service.ts'
export type { CommandDesk } from './desk.ts'
