import { placeholders } from './names.ts'
import { type Parties, send } from './parties.ts'
import { deletedAt, type Kind } from './record-kinds.ts'

/** Shared views of the administrator. */
export const viewKind = (parties: Parties): Kind => ({
  placeholders: placeholders.views,
  list: 'views?limit=1000',
  isUsable: ({ shared }) => shared,
  create: async (index) =>
    (
      await send(parties, 'POST', 'views', {
        name: `view ${index}`,
        columns: ['health', 'name'],
        shared: true,
      })
    ).id,
  remove: deletedAt('views', ({ is_own: isOwn }) => isOwn),
})
