import type { Agent, buildConnector } from 'undici'
import type { TlsOptions } from './tls-options.ts'

export { tlsAdvice } from './tls-advice.ts'

/** Callers with the same options share connections: an emulator has thousands of agents. */
const agents = new WeakMap<TlsOptions, Agent>()

/** Loaded on demand. The global `fetch` and `WebSocket` are the same code, but Node.js exports no class to configure them. */
async function undiciWith(tls: TlsOptions) {
  const undici = await import('undici')
  const dispatcher = agents.get(tls) ?? agentOf(undici.Agent, undici.buildConnector({ ...tls }))
  agents.set(tls, dispatcher)
  return { undici, dispatcher }
}

/**
 * In TLS 1.3 a server refuses a client certificate after the handshake. Unless the socket is destroyed with that error,
 * undici reports only that the connection was closed.
 */
const agentOf = (Dispatcher: typeof Agent, connect: buildConnector.connector) =>
  new Dispatcher({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        socket?.once('error', (alert) => socket.destroy(alert))
        if (error) callback(error, null)
        else callback(null, socket)
      }),
  })

/** `fetch` with the CA and the client certificate of the caller. */
export function fetchWith(tls: TlsOptions | undefined): typeof fetch {
  if (!tls) return (...request) => fetch(...request)
  const send = async (url: string | URL, init: object) => {
    const { undici, dispatcher } = await undiciWith(tls)
    return undici.fetch(url, { ...init, dispatcher })
  }
  return send as unknown as typeof fetch
}

export async function openSocket(
  url: URL,
  protocols: string[],
  tls: TlsOptions | undefined,
): Promise<WebSocket> {
  if (!tls) return new WebSocket(url, protocols)
  const { undici, dispatcher } = await undiciWith(tls)
  // The same class for callers; its types differ from those of browsers.
  const socket: unknown = new undici.WebSocket(url, { protocols, dispatcher })
  return socket as WebSocket
}
