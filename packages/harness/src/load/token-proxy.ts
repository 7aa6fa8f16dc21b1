import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FleetAgent } from './fleet.ts'

/** A login endpoint for a fleet: the first login of an agent gets its existing token, later ones are redirected. */
export interface TokenProxy {
  url: string
  /** How many logins were redirected to the controller. */
  redirected(): number
}

/** Replaces the first logins of a fleet: at 15 ms each, five thousand would take longer than the rest of the test. */
export async function startTokenProxy(
  agents: readonly FleetAgent[],
  controllerUrl: string,
): Promise<TokenProxy> {
  const tokens = new Map(agents.map(({ apId, token }) => [apId, token]))
  let redirected = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const apId = new URLSearchParams(body).get('username') ?? ''
      const token = tokens.get(apId)
      if (tokens.delete(apId)) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 3600 }))
      } else {
        redirected += 1
        response.writeHead(307, { location: new URL(request.url ?? '', controllerUrl).href }).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    redirected: () => redirected,
  }
}
