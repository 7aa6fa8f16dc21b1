import { readAmqpUrl } from '../../engines/rabbitmq/index.ts'
import type { Platform } from '../../module.ts'
import { disconnectionsLoop } from './disconnections.loop.ts'
import { DisconnectionService } from './disconnections.service.ts'
import { DisconnectionStore } from './disconnections.store.ts'

export type DisconnectionsModule = ReturnType<typeof createDisconnectionsModule>

export function createDisconnectionsModule({ config, log, postgres, management }: Platform) {
  const disconnections = new DisconnectionService({
    store: new DisconnectionStore(postgres),
    management,
    ownName: readAmqpUrl(config.MANC_RABBITMQ_URL).username,
    log,
  })
  return {
    disconnections,
    background: { subscriber: [disconnectionsLoop(disconnections, log)] },
    sweep: () => disconnections.sweep(),
  }
}
