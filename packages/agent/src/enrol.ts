import { setTimeout as sleep } from 'node:timers/promises'
import { AgentHttp, AgentRefused } from '@manc/sdk/agent'
import type { Identity } from './identity.ts'
import { log } from './log.ts'

const answeredWithinMs = 30_000
const longestDelayMs = 60_000

interface Enrolment {
  url: string
  enrolmentToken: string
  identity: Identity
  configuration: Record<string, unknown>
  signal: AbortSignal
}

/**
 * Registers the agent with the controller; goes on until it is there. The password is on disk before: when the answer to
 * an earlier attempt was lost, the controller has it already, and it lets us in.
 */
export async function enrol(enrolment: Enrolment): Promise<void> {
  const { identity, signal } = enrolment
  for (let attempt = 0; !signal.aborted; attempt++) {
    let retryAfterMs = 0
    try {
      if (await register(enrolment)) return
      log('error', 'not registered: the enrolment token was not accepted', {
        ap_id: identity.apId,
        next: 'make another token for this ap_id (POST /api/v1/enrolment_tokens), write it to enrolment_token, start again',
      })
      retryAfterMs = longestDelayMs
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AgentRefused) retryAfterMs = (error.retryAfterS ?? 0) * 1000
      const cause = (error as Error).cause
      log('warn', 'not registered yet; trying again', {
        ap_id: identity.apId,
        reason: cause instanceof Error ? cause.message : (error as Error).message,
      })
    }
    const own = Math.random() * Math.min(longestDelayMs, 1000 * 2 ** attempt)
    await sleep(Math.max(retryAfterMs, 500) + own, undefined, { signal }).catch(() => {})
  }
}

/** False where neither the token nor our password is good there. */
async function register({
  url,
  enrolmentToken,
  identity,
  configuration,
  signal,
}: Enrolment): Promise<boolean> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(answeredWithinMs)])
  const { apId, password } = identity
  const answer = await fetch(new URL('/api/v1/agents/public', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${enrolmentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ap_id: apId, password, configuration }),
    signal: within,
  })
  const text = await answer.text()
  if (answer.ok) return true
  // A token may be spent by our own first attempt; an ap_id may be taken by it.
  if ([401, 403, 409].includes(answer.status)) return isLetIn({ url, apId, password, within })
  const retryAfter = answer.headers.get('retry-after')
  throw new AgentRefused(answer.status, text, retryAfter === null ? undefined : Number(retryAfter))
}

async function isLetIn(given: {
  url: string
  apId: string
  password: string
  within: AbortSignal
}): Promise<boolean> {
  try {
    await new AgentHttp(given).token(given.within)
    return true
  } catch (error) {
    if (error instanceof AgentRefused && error.status === 401) return false
    throw error
  }
}
