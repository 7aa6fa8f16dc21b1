import type { Operation } from './shape.ts'
import { agents, apps } from './table-agents-and-apps.ts'
import { agentOperations, callbacks, metrics } from './table-network.ts'
import { tokenAndUsers } from './table-users.ts'

/**
 * Every operation of the interface, written from the interface document alone. Where that says "not shown"
 * the project's own answer stands here, marked `decision`. Nothing is taken from the code that it checks.
 */
export const table: Operation[] = [
  ...tokenAndUsers,
  ...agents,
  ...apps,
  ...agentOperations,
  ...metrics,
  ...callbacks,
]

export const interfaceVersion = '1.0.0'
