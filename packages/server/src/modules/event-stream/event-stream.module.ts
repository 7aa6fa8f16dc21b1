import { EventStreamQuery, eventStreamPath } from '@manc/contract'
import type { Static } from 'typebox'
import type { Platform } from '../../module.ts'
import { choiceOf, type EventsModule, followerFilter, viewOf } from '../events/index.ts'
import type { SocketsModule } from '../sockets/index.ts'
import { EventStreamService } from './event-stream.service.ts'

interface Uses {
  events: EventsModule
  sockets: SocketsModule
}

export function createEventStreamModule({ log }: Pick<Platform, 'log'>, uses: Uses) {
  const { sockets, addStream } = uses.sockets
  const stream = new EventStreamService({ events: uses.events.events, log })
  addStream({
    path: eventStreamPath,
    access: 'eventStream',
    query: EventStreamQuery,
    open: (request, given) => {
      const client = sockets.openStream(request)
      if (!client) return
      const query = given as Static<typeof EventStreamQuery>
      void stream.follow({
        client,
        filter: followerFilter(viewOf(request.caller, query.emulated), choiceOf(query)),
        after: query.after,
        onClosed: (run) => request.socket.on('close', run),
      })
    },
  })
  return { background: { api: [stream] } }
}
