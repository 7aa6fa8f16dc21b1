import type { Invalid } from '@manc/sdk'
import { exitCodes, Failure } from './failure.ts'
import { ended } from './profile.ts'

const login = 'Run: manc login'

/** An error in one plain message with the next step, and the exit code that goes with it. */
export async function explain(error: unknown, url?: string): Promise<{ message: string; code: number }> {
  const { failed, usage, notLoggedIn, notFound, away } = exitCodes
  const doctor = url === undefined ? 'manc doctor' : `manc doctor --url ${url}`
  if (error instanceof Failure) return { message: error.message, code: error.code }
  const sdk = await import('@manc/sdk')
  if (error instanceof sdk.NotLoggedIn || (error instanceof sdk.MancError && ended()))
    return { message: notLoggedInMessage(error), code: notLoggedIn }
  if (error instanceof sdk.NotAllowed)
    return {
      message: `${sentence(error.detail)} Ask an administrator, or log in as somebody who may: manc login`,
      code: notLoggedIn,
    }
  if (error instanceof sdk.NotFound)
    return { message: `${sentence(error.detail)} ${checkName(error.detail)}`, code: notFound }
  if (error instanceof sdk.Invalid)
    return { message: `${wrongIn(error)} Correct it; --help shows what the command takes.`, code: usage }
  if (error instanceof sdk.Unreachable)
    return { message: `${error.message} To see more: ${doctor}`, code: away }
  if (error instanceof sdk.Unavailable)
    return {
      message: `${sentence(error.detail)} Try again in a moment, or see what is down: ${doctor}`,
      code: away,
    }
  if (error instanceof sdk.TooManyRequests) {
    const when = error.retryAfterS === undefined ? 'in a moment' : `in ${error.retryAfterS} s`
    return { message: `${sentence(error.detail)} Try again ${when}.`, code: failed }
  }
  if (error instanceof sdk.Conflict && error.detail.endsWith('already registered'))
    return {
      message: `${sentence(error.detail)} Choose another name, or change that one with "update".`,
      code: failed,
    }
  if (error instanceof sdk.Refused) return { message: sentence(error.detail), code: failed }
  if (error instanceof sdk.JobFailed)
    return {
      message: `${sentence(error.message)} ${afterJob[error.state] ?? `To see more: manc jobs get ${error.jobNumber}`}`,
      code: failed,
    }
  if (error instanceof sdk.MancError) return { message: error.message, code: failed }
  return {
    message: `${sentence((error as Error).message)} To see where it comes from, add --verbose.`,
    code: failed,
  }
}

/** Where a token that is no login, or a password, is refused: says what that means here. */
export async function refusedAs<Reply>(
  message: string,
  statuses: readonly number[],
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const { Refused } = await import('@manc/sdk')
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Refused && statuses.includes(error.status))) throw error
    throw new Failure(message, exitCodes.notLoggedIn)
  }
}

/** What to show of an outage that may pass, to a view that goes on trying; undefined where there is no use in that. */
export async function outageOf(error: unknown): Promise<string | undefined> {
  const { MancError, Refused } = await import('@manc/sdk')
  const before = 'This is how it was before; trying again.'
  if (error instanceof Refused)
    return error.status >= 500 || error.status === 429 ? `${sentence(error.detail)} ${before}` : undefined
  // The plain one is of an answer that was cut off.
  const isAway = error instanceof MancError && ['Unreachable', 'MancError'].includes(error.name)
  return isAway ? `The controller does not answer. ${before}` : undefined
}

const lists: Record<string, string> = {
  Agent: 'manc agents list',
  User: 'manc users list',
  Job: 'manc jobs list',
  'Enrolment token': 'manc enrolment list',
}

function checkName(detail: string): string {
  const list = lists[/^(.*) not found/.exec(detail)?.[1] ?? '']
  return list === undefined ? 'Check the name.' : `Check the name; to see what there is: ${list}`
}

/** What is wrong with which part of the request. */
const wrongIn = ({ detail, items }: Invalid): string =>
  items.length === 0
    ? sentence(detail)
    : items.map(({ loc, msg }) => sentence(`${loc.slice(1).join('.') || loc.join('.')}: ${msg}`)).join(' ')

const afterJob: Record<string, string> = {
  expired: 'Check that it is online, and send it again: manc agents list',
  timed_out: 'Look at what it measures before you send it again: manc telemetry show AGENT',
  superseded: 'Try again when the other has done.',
}

function notLoggedInMessage(error: Error): string {
  if (process.env['MANC_TOKEN'])
    return 'The token in MANC_TOKEN has ended, or is not valid here. Set a new one, or unset it and run: manc login'
  if (ended()) return `Your login has ended. ${login}`
  return `${sentence('detail' in error ? String(error.detail) : error.message)} ${login}`
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
