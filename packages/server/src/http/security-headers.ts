import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

/**
 * The headers that helmet would set. They depend on no request, so they are worked out once:
 * made anew for each answer they cost more than reading the agent that is asked for.
 */
export function securityHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const keep = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  helmet(options)({} as IncomingMessage, keep as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
