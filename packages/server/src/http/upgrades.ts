import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'

/** The subprotocol with numbers and acknowledgements. */
export const envelopes = 'manc.v1'
/** What a client may send us: acknowledgements. */
const largestMessage = 4096

/** Lets routes have a `wsHandler`. Before the hooks that refuse: they then close the connection with their answer. */
export async function takeUpgrades(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: largestMessage,
      handleProtocols: (offered) =>
        offered.has(envelopes) ? envelopes : offered.has('bearer') ? 'bearer' : false,
    },
    // Whoever has opened sockets closes them.
    preClose: (done) => {
      app.websocketServer.close()
      done()
    },
  })
}
