import type { ExperimentRunReport } from '@manc/contract'
import type { PartReport } from '@manc/contract/emulation-parts'
import {
  Conflict,
  Manc,
  NotAllowed,
  NotFound,
  NotLoggedIn,
  Refused,
  type TlsOptions,
  TooManyRequests,
} from '@manc/sdk'

interface Options {
  url: string
  tls: TlsOptions | undefined
  /** An app with the scope `callbacks:post`. */
  appName: string
  apiKey: string
}

const timeoutMs = 10_000
/** A report that is answered with one of these would be so again. */
const unacceptable: readonly number[] = [400, 413, 422]

/** 401 or 403: an administrator must fix the app. */
export class AppRefused extends Error {
  override readonly name = 'AppRefused'
}

/** What the controller answers to a report on a run of an experiment. */
export interface RunAnswer {
  /** False: the run has ended, was deleted, or another emulator executes it. */
  isWanted: boolean
  /** The controller does not accept the report, for example because it has another version. */
  problem?: string
}

/** Posts the reports of this emulator to the controller. */
export class ReportClient {
  readonly #manc: Manc
  readonly #appName: string

  constructor({ url, tls, appName, apiKey }: Options) {
    this.#appName = appName
    this.#manc = new Manc({
      url,
      ...(tls && { tls }),
      credentials: { loginType: 'third_party_app', username: appName, password: apiKey },
      // A report that fails is superseded by the next one.
      retryForMs: 0,
    })
  }

  /** False when the lease is lost or the part has ended. Throws when the controller cannot be reached. */
  async post(jobNumber: string, report: PartReport, signal: AbortSignal): Promise<boolean> {
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }
    try {
      // First, so that a 429 below is the answer to the report and not to the login.
      await this.#manc.logIn(undefined, options)
    } catch (error) {
      throw this.#explained(error)
    }
    try {
      await this.#manc.callbacks.emulator(jobNumber, [report], options)
      return true
    } catch (error) {
      if (error instanceof Conflict) return false
      // The caller does not read its messages. The lease is renewed all the same.
      if (error instanceof TooManyRequests) return true
      throw this.#explained(error)
    }
  }

  /** Throws when the controller cannot be reached. */
  async postRun(report: ExperimentRunReport, signal: AbortSignal): Promise<RunAnswer> {
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }
    try {
      await this.#manc.callbacks.experimentRun(report, options)
      return { isWanted: true }
    } catch (error) {
      if (error instanceof Conflict || error instanceof NotFound) return { isWanted: false }
      if (error instanceof Refused && unacceptable.includes(error.status))
        return { isWanted: false, problem: error.detail }
      throw this.#explained(error)
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof NotLoggedIn || error instanceof NotAllowed)) return error
    return new AppRefused(
      `The controller refuses the app ${this.#appName} (${error.status}). Register it with the scope callbacks:post, ` +
        'and set MANC_EMULATOR_APP and MANC_EMULATOR_KEY to its name and key.',
    )
  }
}
