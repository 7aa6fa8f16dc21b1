import type { Checks } from './checks.ts'
import type { ConformanceEnvironment } from './environment.ts'
import { type Prepared, send } from './request.ts'
import { type Operation, takesInput } from './shape.ts'

const FORMS = ['as-written', 'other'] as const

/** Without a valid token every request is rejected before its body is parsed. */
export async function checkLocked(
  environment: ConformanceEnvironment,
  operation: Operation,
  { token: _token, ...anonymous }: Prepared,
  checks: Checks,
): Promise<void> {
  const refused = async (what: string, detail: string, prepared: Prepared, form: (typeof FORMS)[number]) => {
    const reply = await send(environment.url, operation, prepared, form)
    checks.holds(`${what}: status`, reply.status === 401, '401', `${reply.status} ${reply.text}`)
    const challenge = reply.headers.get('www-authenticate')
    checks.holds(`${what}: WWW-Authenticate`, /^Bearer\b/.test(challenge ?? ''), 'Bearer', challenge)
    checks.equal(`${what}: body`, { detail }, reply.json)
  }
  for (const form of FORMS) {
    await refused(`without a token (${form})`, 'Not authenticated', anonymous, form)
  }
  const forged = { ...anonymous, token: 'no.such.token' }
  await refused('with a forged token', 'Could not validate credentials', forged, 'as-written')
  if (operation.body) {
    const malformed = { ...anonymous, body: '{' }
    await refused('malformed without a token', 'Not authenticated', malformed, 'as-written')
  }
}

/** Where no token is asked for, a request that is wrong otherwise must not be answered with 401. */
export async function checkOpen(
  environment: ConformanceEnvironment,
  operation: Operation,
  valid: Prepared,
  checks: Checks,
): Promise<void> {
  if (!takesInput(operation)) return
  const { body: _body, form: _form, ...empty } = valid
  for (const form of FORMS) {
    const { status } = await send(environment.url, operation, empty, form)
    checks.equal(`an empty request without a token (${form}): status`, 422, status)
  }
}
