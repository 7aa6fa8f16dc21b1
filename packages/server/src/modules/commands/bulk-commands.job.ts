import type { Chunk, JobHandler } from '../jobs/index.ts'
import { toResultItem } from './commands.format.ts'
import type { PartPosition, PartStore } from './parts.store.ts'

/** Characters, without the brackets. */
const maxChunkLength = 256 * 1024 - 2
const pageSize = 500

/** Collects the result of a command to many agents when all parts have ended. */
export class BulkCommandsJob implements JobHandler {
  readonly kind = 'send_commands'
  readonly callback = 'agent_details'
  readonly #store: PartStore

  constructor(store: PartStore) {
    this.#store = store
  }

  /** The result of each part, in the order of the agents' ids. The cursor is the last part that was delivered. */
  async *chunks(_request: unknown, cursor = '', jobNumber: string): AsyncGenerator<Chunk> {
    let items = ''
    let last = positionOf(cursor)
    for (;;) {
      const page = await this.#store.page(jobNumber, last, pageSize)
      for (const part of page) {
        const item = toResultItem(part)
        if (items !== '' && items.length + item.length > maxChunkLength) {
          yield { items: `[${items}]`, cursor: textOf(last), isLast: false }
          items = ''
        }
        items += items === '' ? item : `,${item}`
        last = { apId: part.apId, jobNumber: part.jobNumber }
      }
      if (page.length < pageSize) break
    }
    yield { items: `[${items}]`, cursor: textOf(last), isLast: true }
  }
}

const textOf = ({ apId, jobNumber }: PartPosition): string => `${apId} ${jobNumber}`

/** An earlier version has stored the id of the agent alone: all of its parts were delivered. */
function positionOf(cursor: string): PartPosition {
  const [apId = '', jobNumber = '~'] = cursor.split(' ')
  return { apId, jobNumber }
}
