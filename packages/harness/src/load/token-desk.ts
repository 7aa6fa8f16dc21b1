import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FleetAgent } from './fleet.ts'

/** Where a fleet's agents log in: the first time they get the token they have, later ones go to the controller. */
export interface TokenDesk {
  url: string
  /** How many have come a second time. */
  sentOn(): number
}

/** Stands for logins of a while ago: at 15 ms each, five thousand would take longer than the rest of the test. */
export async function openTokenDesk(agents: readonly FleetAgent[], controller: string): Promise<TokenDesk> {
  const tokens = new Map(agents.map(({ apId, token }) => [apId, token]))
  let sentOn = 0
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
        sentOn += 1
        response.writeHead(307, { location: new URL(request.url ?? '', controller).href }).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sentOn: () => sentOn }
}
