import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentCredentials, AgentHttp, AgentRefused, type TlsOptions } from '@manc/sdk/agent'
import { fetchWith, tlsAdvice } from '@manc/sdk/tls'
import { log } from '../log.ts'
import type { Identity } from './identity.ts'

const requestTimeoutMs = 30_000
const maxDelayMs = 60_000

interface Enrolment {
  url: string
  tls: TlsOptions | undefined
  enrolmentToken: string
  identity: Identity
  configuration: Record<string, unknown>
  signal: AbortSignal
}

/**
 * Registers the agent with the controller, and retries until it succeeds. The password is saved to disk before: if the
 * response to an earlier attempt was lost, the agent is already registered and can log in with it.
 */
export async function enrol(enrolment: Enrolment): Promise<void> {
  const { identity, signal } = enrolment
  for (let attempt = 0; !signal.aborted; attempt++) {
    let retryAfterMs = 0
    try {
      if (await register(enrolment)) return
      log('error', 'not registered: the enrolment token was not accepted', {
        ap_id: identity.apId,
        next: 'make another token for this ap_id (POST /api/v1/enrolment_tokens), write it to enrolment_token, restart the agent',
      })
      retryAfterMs = maxDelayMs
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AgentRefused) retryAfterMs = (error.retryAfterS ?? 0) * 1000
      const cause = (error as Error).cause
      const next = tlsAdvice(error)
      log('warn', 'registration failed, will retry', {
        ap_id: identity.apId,
        reason: cause instanceof Error ? cause.message : (error as Error).message,
        ...(next !== undefined && { next }),
      })
    }
    const jitterMs = Math.random() * Math.min(maxDelayMs, 1000 * 2 ** attempt)
    await sleep(Math.max(retryAfterMs, 500) + jitterMs, undefined, { signal }).catch(() => {})
  }
}

/** False if the controller accepts neither the token nor the password. */
async function register({
  url,
  tls,
  enrolmentToken,
  identity,
  configuration,
  signal,
}: Enrolment): Promise<boolean> {
  const requestSignal = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)])
  const { apId, password } = identity
  const response = await fetchWith(tls)(new URL('/api/v1/agents/public', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${enrolmentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ap_id: apId, password, configuration }),
    signal: requestSignal,
  })
  const text = await response.text()
  if (response.ok) return true
  // An earlier attempt of this agent may have used up the token, or registered the ap_id.
  if ([401, 403, 409].includes(response.status))
    return canLogIn({ url, apId, password, ...(tls && { tls }) }, requestSignal)
  const retryAfter = response.headers.get('retry-after')
  throw new AgentRefused(response.status, text, retryAfter === null ? undefined : Number(retryAfter))
}

async function canLogIn(credentials: AgentCredentials, signal: AbortSignal): Promise<boolean> {
  try {
    await new AgentHttp(credentials).token(signal)
    return true
  } catch (error) {
    if (error instanceof AgentRefused && error.status === 401) return false
    throw error
  }
}
