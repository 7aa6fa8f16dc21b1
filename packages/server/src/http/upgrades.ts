import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'

/** The subprotocol with sequence numbers and acknowledgements. */
export const envelopes = 'manc.v1'
/** Callers send acknowledgements only. */
const maxMessageBytes = 4096

/** Enables `wsHandler` for routes. Registered before the hooks that refuse requests, which then also apply to upgrades. */
export async function takeUpgrades(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: maxMessageBytes,
      handleProtocols: (offered) =>
        offered.has(envelopes) ? envelopes : offered.has('bearer') ? 'bearer' : false,
    },
    // The sockets module closes its sockets.
    preClose: (done) => {
      app.websocketServer.close()
      done()
    },
  })
}
