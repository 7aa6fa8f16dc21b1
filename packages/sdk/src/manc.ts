import { Commands } from './commands.ts'
import { Emulator } from './emulator.ts'
import { Fleet } from './fleet.ts'
import { Resources } from './generated/resources.ts'
import type { Credentials } from './session.ts'
import { Telemetry } from './telemetry.ts'
import { type MancOptions, Transport } from './transport.ts'

/** The client of a controller: one member for each resource of the API. */
export class Manc extends Resources {
  readonly telemetry: Telemetry
  readonly commands: Commands
  readonly emulator: Emulator
  readonly fleet: Fleet
  readonly #transport: Transport

  constructor(options: MancOptions) {
    const transport = new Transport(options)
    super(transport)
    this.#transport = transport
    this.telemetry = new Telemetry(transport)
    this.commands = new Commands(transport)
    this.emulator = new Emulator(transport)
    this.fleet = new Fleet(transport)
  }

  /** Logs in now, to check the credentials. Otherwise the first request logs in. */
  async logIn(credentials?: Credentials, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    if (credentials) this.#transport.session.use(credentials)
    await this.#transport.session.token(signal)
  }

  /** Gets a new token of the user's session, without the password. Sessions have a maximum duration. */
  renewSession(): Promise<void> {
    return this.#transport.session.renew()
  }

  /** Ends the session on the controller, and discards token and credentials. */
  endSession(): Promise<void> {
    return this.#transport.session.end()
  }

  /** Discards token and credentials. The token stays valid until it expires. */
  logOut(): void {
    this.#transport.session.leave()
  }
}
