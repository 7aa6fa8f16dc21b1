import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { bearerProtocol } from '@manc/contract'
import type { ApiResponse } from '@manc/harness'
import WebSocket from 'ws'
import type { GridEnvironment } from './environment.ts'
import type { CallerName } from './names.ts'
import { type Outcome, read } from './outcome.ts'

/** Where the token is sent: in a header by programs, as a subprotocol by browsers. */
export type Way = 'header' | 'subprotocol'

/** Opens a WebSocket. It is refused before the upgrade, with the detail and headers of any other refusal. */
export async function socketOutcomeOf(
  environment: GridEnvironment,
  { path, caller, authorization, way }: Asked,
): Promise<Outcome | 404> {
  const bearer = way === 'subprotocol' ? /^Bearer (.+)$/.exec(authorization ?? '')?.[1] : undefined
  const socket = new WebSocket(
    environment.url.replace('http', 'ws') + path,
    bearer === undefined ? [] : [bearerProtocol, bearer],
    { headers: bearer === undefined && authorization !== undefined ? { authorization } : {} },
  )
  // Terminating before the connection is open emits an error.
  socket.on('error', () => {})
  const refused = once(socket, 'unexpected-response') as Promise<[unknown, IncomingMessage]>
  const refusal = await Promise.race([once(socket, 'open').then(() => undefined), refused])
  const answer = refusal && (await answerOf(refusal[1]))
  socket.terminate()
  if (!answer) return 'ok'
  const isUnknownJob = answer.status === 404 && JSON.stringify(answer.body) === '{"detail":"Job not found"}'
  return isUnknownJob ? 404 : read(answer, caller)
}

async function answerOf(message: IncomingMessage): Promise<ApiResponse> {
  const { statusCode: status = 0, headers } = message
  const challenge = headers['www-authenticate']
  return {
    status,
    headers: new Headers(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    body: JSON.parse(await text(message)),
  }
}

interface Asked {
  path: string
  caller: CallerName
  authorization: string | undefined
  way: Way
}
