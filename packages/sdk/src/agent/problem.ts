import { tlsAdvice } from '#tls'
import { AgentRefused, TooLarge } from './errors.ts'
import type { Sample } from './sample.ts'

/** A condition that a person should know of. The agent continues by itself. */
export interface Problem {
  kind: 'credentials' | 'unreachable' | 'refused' | 'full' | 'disk'
  /** What is wrong, and what to do next. */
  message: string
  /** Of `refused`: the sample that is not sent again. */
  sample?: Sample
}

const firstDelayMs = 500
const maxDelayMs = 30_000
/** A wrong password every half minute would keep the account throttled. */
const maxCredentialsDelayMs = 120_000

/** The problem behind a failed attempt to connect or send. */
export function outage(error: unknown, apId: string): Problem {
  if (isAboutCredentials(error))
    return {
      kind: 'credentials',
      message:
        `The controller does not let ${apId} in: ${reasonOf(error)} Check its ap_id and password; an administrator ` +
        'can register it, or set its password. Until then samples are kept and retried.',
    }
  const next = tlsAdvice(error) ?? 'Check the addresses and the network if this lasts.'
  return {
    kind: 'unreachable',
    message: `The controller cannot be reached: ${reasonOf(error)} ${next} Until then samples are kept and retried.`,
  }
}

export function refusal(what: string, error: unknown, sample?: Sample): Problem {
  const message = `${what} was refused, and is not sent again: ${reasonOf(error)} Fix its source.`
  return { kind: 'refused', message, ...(sample && { sample }) }
}

/** Exponential backoff with jitter. A delay that the controller requests is respected. */
export function delayMs(attempt: number, error: unknown): number {
  const max = isAboutCredentials(error) ? maxCredentialsDelayMs : maxDelayMs
  const own = firstDelayMs + Math.random() * Math.min(max, firstDelayMs * 2 ** attempt)
  const requested = error instanceof AgentRefused ? (error.retryAfterS ?? 0) * 1000 : 0
  return requested > 0 ? requested + Math.random() * 1000 : own
}

function isAboutCredentials(error: unknown): boolean {
  return error instanceof AgentRefused && [401, 403, 404].includes(error.status)
}

/** The reason of a failed `fetch` is in its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof AgentRefused) return `${error.status} ${error.message}.`
  if (error instanceof TooLarge || !(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}.`
}
