import type { PartReport } from '@manc/contract/emulation-parts'

export interface ControllerOptions {
  url: string
  /** An app with the scope `callbacks:post`. */
  appName: string
  apiKey: string
}

/** The controller knows us not, or lets us not report: without somebody's help nothing will change. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed'
}

/** The controller's public interface, as an emulator needs it. */
export class Controller {
  readonly #options: ControllerOptions
  #token: Promise<string> | undefined

  constructor(options: ControllerOptions) {
    this.#options = options
  }

  /** False where the part is somebody else's by now, or over. Throws where the controller cannot be reached. */
  async say(jobNumber: string, word: PartReport, signal: AbortSignal): Promise<boolean> {
    const path = `/api/v1/callback/emulator?job_number=${encodeURIComponent(jobNumber)}`
    const answer = await fetch(this.#options.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await this.#bearer()}`, 'content-type': 'application/json' },
      body: JSON.stringify([word]),
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    const text = await answer.text()
    if (answer.ok) return true
    if (answer.status === 409) return false
    // Nobody reads what we say. The lease is kept all the same.
    if (answer.status === 429) return true
    if (answer.status === 401) this.#token = undefined
    if (answer.status === 403) throw this.#notAllowed(answer.status)
    throw new Error(`the controller answered ${answer.status}: ${text}`)
  }

  #bearer(): Promise<string> {
    this.#token ??= this.#logIn().catch((error: unknown) => {
      this.#token = undefined
      throw error
    })
    return this.#token
  }

  async #logIn(): Promise<string> {
    const { url, appName, apiKey } = this.#options
    const answer = await fetch(`${url}/api/v1/token/?login_type=third_party_app`, {
      method: 'POST',
      body: new URLSearchParams({ username: appName, password: apiKey }),
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status === 401 || answer.status === 403) throw this.#notAllowed(answer.status)
    if (!answer.ok) throw new Error(`the login was answered with ${answer.status}`)
    return ((await answer.json()) as { access_token: string }).access_token
  }

  #notAllowed(status: number): NotAllowed {
    return new NotAllowed(
      `The controller refuses the app ${this.#options.appName} (${status}). Register it with the scope callbacks:post, ` +
        'and set MANC_EMULATOR_APP and MANC_EMULATOR_KEY to its name and key.',
    )
  }
}
