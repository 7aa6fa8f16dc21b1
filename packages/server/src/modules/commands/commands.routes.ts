import { type CommandToMany, commandOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve, withoutNul } from '../../http/serve.ts'
import type { BulkCommandService } from './bulk-commands.service.ts'
import type { CommandService } from './commands.service.ts'

export function commandRoutes(
  app: FastifyInstance,
  { commands, bulkCommands }: { commands: CommandService; bulkCommands: BulkCommandService },
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
    bulkCommands.send({ body: storable(body), caller, by, key: idempotencyKey }),
  )
}

/** Ids that do not exist are stored with the reason why they get no command. */
const storable = ({ command, commands, agents, ...rest }: CommandToMany): CommandToMany => ({
  ...rest,
  ...(command !== undefined && { command: withoutNul(command) }),
  ...(commands && {
    commands: commands.map((each) => ({
      agent_id: withoutNul(each.agent_id),
      command: withoutNul(each.command),
    })),
  }),
  ...(agents && { agents: agents.map(withoutNul) }),
})
