import { exitCodes, Failure } from './failure.ts'
import { ended } from './profile.ts'

const login = 'Run: manc login'

/** An error in one plain message with the next step, and the exit code that goes with it. */
export async function explain(error: unknown): Promise<{ message: string; code: number }> {
  const { failed, usage, notLoggedIn, notFound, away } = exitCodes
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
    return {
      message: `${sentence(error.detail)} Check the name: the list command shows what there is.`,
      code: notFound,
    }
  if (error instanceof sdk.Invalid)
    return { message: `${error.detail} Correct it; --help shows what the command takes.`, code: usage }
  if (error instanceof sdk.Unreachable)
    return { message: `${error.message} To see more: manc doctor`, code: away }
  if (error instanceof sdk.Unavailable)
    return {
      message: `${sentence(error.detail)} Try again in a moment, or see what is down: manc doctor`,
      code: away,
    }
  if (error instanceof sdk.TooManyRequests) {
    const when = error.retryAfterS === undefined ? 'in a moment' : `in ${error.retryAfterS} s`
    return { message: `${sentence(error.detail)} Try again ${when}.`, code: failed }
  }
  if (error instanceof sdk.Refused) return { message: sentence(error.detail), code: failed }
  if (error instanceof sdk.MancError) return { message: error.message, code: failed }
  return {
    message: `${sentence((error as Error).message)} To see where it comes from, add --verbose.`,
    code: failed,
  }
}

function notLoggedInMessage(error: Error): string {
  if (process.env['MANC_TOKEN'])
    return 'The token in MANC_TOKEN has ended, or is not valid here. Set a new one, or unset it and run: manc login'
  if (ended()) return `Your login has ended. ${login}`
  return `${sentence('detail' in error ? String(error.detail) : error.message)} ${login}`
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
