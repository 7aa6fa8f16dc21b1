import type { Invalid } from '@manc/sdk'
import { exitCodes, Failure } from './failure.ts'
import { isExpired } from './profile.ts'

const login = 'Run: manc login'

/** One message with the next step, and the exit code, for an error. */
export async function explain(error: unknown, url?: string): Promise<{ message: string; code: number }> {
  const { failed, usage, notLoggedIn, notFound, unavailable } = exitCodes
  const doctor = url === undefined ? 'manc doctor' : `manc doctor --url ${url}`
  if (error instanceof Failure) return { message: error.message, code: error.code }
  const sdk = await import('@manc/sdk')
  if (error instanceof sdk.NotLoggedIn || (error instanceof sdk.MancError && isExpired()))
    return { message: notLoggedInMessage(error), code: notLoggedIn }
  if (error instanceof sdk.NotAllowed) {
    // Other reasons state the next step themselves.
    const isExplained = error.detail !== 'Not enough permissions'
    const next = isExplained ? '' : ' Ask an administrator, or log in as another user: manc login'
    return { message: `${sentence(error.detail)}${next}`, code: notLoggedIn }
  }
  if (error instanceof sdk.NotFound)
    return { message: `${sentence(error.detail)} ${checkName(error.detail)}`, code: notFound }
  if (error instanceof sdk.Invalid)
    return { message: `${faultsOf(error)} Correct it; --help shows the options of the command.`, code: usage }
  if (error instanceof sdk.Unreachable)
    return { message: `${error.message} For details: ${doctor}`, code: unavailable }
  if (error instanceof sdk.Unavailable)
    return {
      message: `${sentence(error.detail)} Try again in a moment, or check the engines: ${doctor}`,
      code: unavailable,
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
      message: `${sentence(error.message)} ${afterJob[error.state] ?? `For details: manc jobs get ${error.jobNumber}`}`,
      code: failed,
    }
  if (error instanceof sdk.MancError) return { message: error.message, code: failed }
  return {
    message: `${sentence((error as Error).message)} Add --verbose for a stack trace.`,
    code: failed,
  }
}

/** Replaces the message of these statuses, for requests with another credential than the login. */
export async function explainRefusal<Reply>(
  message: string,
  statuses: readonly number[],
  request: () => Promise<Reply>,
): Promise<Reply> {
  const { Refused } = await import('@manc/sdk')
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof Refused && statuses.includes(error.status))) throw error
    throw new Failure(message, exitCodes.notLoggedIn)
  }
}

/** A line for a live view that keeps retrying; undefined if a retry is of no use. */
export async function outageOf(error: unknown): Promise<string | undefined> {
  const { MancError, Refused } = await import('@manc/sdk')
  const before = 'Showing the last values; retrying.'
  if (error instanceof Refused)
    return error.status >= 500 || error.status === 429 ? `${sentence(error.detail)} ${before}` : undefined
  // The plain MancError means an incomplete response.
  const isUnavailable = error instanceof MancError && ['Unreachable', 'MancError'].includes(error.name)
  return isUnavailable ? `The controller does not respond. ${before}` : undefined
}

const lists: Record<string, string> = {
  Agent: 'manc agents list',
  Version: 'manc agents configurations AGENT',
  User: 'manc users list',
  Job: 'manc jobs list',
  'Enrolment token': 'manc enrolment list',
  Alarm: 'manc alarms list',
  Rule: 'manc alarms rules',
  Silence: 'manc alarms silences',
  View: 'manc views list',
  Receiver: 'manc notifications receivers',
  Route: 'manc notifications routes',
  Delivery: 'manc notifications deliveries',
}

function checkName(detail: string): string {
  const list = lists[/^(.*) not found/.exec(detail)?.[1] ?? '']
  return list === undefined ? 'Check the name.' : `Check the name, or list all: ${list}`
}

/** The faults of a request, field by field. */
const faultsOf = ({ detail, items }: Invalid): string =>
  items.length === 0
    ? sentence(detail)
    : items.map(({ loc, msg }) => sentence(`${loc.slice(1).join('.') || loc.join('.')}: ${msg}`)).join(' ')

const afterJob: Record<string, string> = {
  expired: 'List the states with: manc agents list',
  timed_out: 'Show its telemetry with: manc telemetry show AGENT',
  superseded: 'Try again later.',
}

function notLoggedInMessage(error: Error): string {
  if (process.env['MANC_TOKEN'])
    return 'The token in MANC_TOKEN has expired, or is not valid at this controller. Set a new one, or unset it and run: manc login'
  if (isExpired()) return `Your login has expired. ${login}`
  return `${sentence('detail' in error ? String(error.detail) : error.message)} ${login}`
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
