export const exitCodes = {
  failed: 1,
  usage: 2,
  notLoggedIn: 3,
  notFound: 4,
  unavailable: 5,
  interrupted: 130,
} as const

/** An error of this program, with its exit code. */
export class Failure extends Error {
  readonly code: number

  constructor(message: string, code: number = exitCodes.failed) {
    super(message)
    this.code = code
  }
}

export const wrongUsage = (message: string): Failure => new Failure(message, exitCodes.usage)
export const interrupted = (message: string): Failure => new Failure(message, exitCodes.interrupted)
