import { AgentRefused, TooLarge } from './errors.ts'
import type { Sample } from './sample.ts'

/** Something that a person should know. The agent goes on by itself. */
export interface Problem {
  kind: 'credentials' | 'unreachable' | 'refused' | 'full' | 'disk'
  /** What is wrong, and what to do next. */
  message: string
  /** Of `refused`: what was set aside. */
  sample?: Sample
}

const firstDelayMs = 500
const longestDelayMs = 30_000
/** A wrong password every half minute would have the account throttled, and keep it so. */
const longestForCredentialsMs = 120_000

/** Why nothing gets through. */
export function outage(error: unknown, apId: string): Problem {
  if (isAboutCredentials(error))
    return {
      kind: 'credentials',
      message:
        `The controller does not let ${apId} in: ${wordsOf(error)} Check its ap_id and password; an administrator ` +
        'can register it, or set its password. Until then everything is kept, and tried again.',
    }
  return {
    kind: 'unreachable',
    message:
      `Nothing gets through: ${wordsOf(error)} Check the addresses and the network if this lasts. ` +
      'Until then everything is kept, and tried again.',
  }
}

export function refusal(what: string, error: unknown, sample?: Sample): Problem {
  const message = `${what} was refused, and is not sent again: ${wordsOf(error)} Put right what makes it.`
  return { kind: 'refused', message, ...(sample && { sample }) }
}

/** Every agent waits a time of its own, which grows; a wait that the controller names is kept to. */
export function delayMs(attempt: number, error: unknown): number {
  const longest = isAboutCredentials(error) ? longestForCredentialsMs : longestDelayMs
  const own = firstDelayMs + Math.random() * Math.min(longest, firstDelayMs * 2 ** attempt)
  const named = error instanceof AgentRefused ? (error.retryAfterS ?? 0) * 1000 : 0
  return named > 0 ? named + Math.random() * 1000 : own
}

function isAboutCredentials(error: unknown): boolean {
  return error instanceof AgentRefused && [401, 403, 404].includes(error.status)
}

/** A failed `fetch` says why in its cause. */
export function wordsOf(error: unknown): string {
  if (error instanceof AgentRefused) return `${error.status} ${error.message}.`
  if (error instanceof TooLarge || !(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}.`
}
