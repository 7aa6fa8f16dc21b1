import { commandOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { CommandToMany } from './command-to-many.ts'
import type { CommandService } from './commands.service.ts'

export function commandRoutes(
  app: FastifyInstance,
  { commands, commandToMany }: { commands: CommandService; commandToMany: CommandToMany },
): void {
  serve(app, operations.sendCommand, async ({ query, caller, by, idempotencyKey }) => ({
    job_number: await commands.send({
      apId: query.agent_id,
      command: query.command,
      caller,
      by,
      key: idempotencyKey,
    }),
  }))

  serve(app, operations.sendCommands, async ({ body, caller, by, idempotencyKey }) =>
    commandToMany.send({ wanted: body, caller, by, key: idempotencyKey }),
  )
}
