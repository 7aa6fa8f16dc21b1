import type { OperationId } from '@manc/contract'
import { type ApiResponse, call } from '@manc/harness'
import type { GridEnvironment } from './environment.ts'
import type { Expected } from './expectations.ts'
import { type CallerName, sendsNoBearer } from './names.ts'
import { requestOf } from './requests.ts'

/** Any other response, unchanged. */
interface Unexpected {
  status: number
  body: unknown
  challenge: string | null
}

export type Outcome = Expected | Unexpected

/** Sends the request of one cell. A status counts only with the expected detail and headers. */
export async function outcomeOf(
  environment: GridEnvironment,
  id: OperationId,
  caller: CallerName,
  authorization: string | undefined,
): Promise<Outcome> {
  const { method, path, sent, headers } = await requestOf(environment, id, caller, authorization)
  return read(await call(environment.url, method, path, { ...sent, headers }), caller)
}

/** The outcome of a response, if its detail and headers are as expected. */
export function read(answer: ApiResponse, caller: CallerName): Outcome {
  if (answer.status === 200) return 'ok'
  if (isRefusal(answer, 401, unauthenticated(caller)) && isChallenge(answer)) return 401
  if (isRefusal(answer, 403, 'Not enough permissions')) return 403
  const { status, body } = answer
  return { status, body, challenge: answer.headers.get('www-authenticate') }
}

const unauthenticated = (caller: CallerName) =>
  sendsNoBearer(caller) ? 'Not authenticated' : 'Could not validate credentials'

const isRefusal = ({ status, body }: ApiResponse, expected: number, detail: string) =>
  status === expected && JSON.stringify(body) === JSON.stringify({ detail })

const isChallenge = ({ headers }: ApiResponse) => headers.get('www-authenticate') === 'Bearer'
