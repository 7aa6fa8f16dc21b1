import websocket from '@fastify/websocket'
import { bearerProtocol, envelopeProtocol } from '@manc/contract'
import type { FastifyInstance } from 'fastify'

/** Callers send acknowledgements only. */
const maxMessageBytes = 4096

/** Enables `wsHandler` for routes. Registered before the hooks that refuse requests, which then also apply to upgrades. */
export async function takeUpgrades(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: maxMessageBytes,
      handleProtocols: (offered) =>
        [envelopeProtocol, bearerProtocol].find((protocol) => offered.has(protocol)) ?? false,
    },
    // The sockets module closes its sockets.
    preClose: (done) => {
      app.websocketServer.close()
      done()
    },
  })
}
