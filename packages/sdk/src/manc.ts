import { Agents } from './agents.ts'
import { Apps } from './apps.ts'
import { Audit } from './audit.ts'
import { Callbacks } from './callbacks.ts'
import { Commands } from './commands.ts'
import { Emulator } from './emulator.ts'
import { Enrolment } from './enrolment.ts'
import { Fleet } from './fleet.ts'
import { Jobs } from './jobs.ts'
import type { Credentials } from './session.ts'
import { Telemetry } from './telemetry.ts'
import { type MancOptions, Transport } from './transport.ts'
import { Users } from './users.ts'

/** The controller, as one of its callers sees it. */
export class Manc {
  readonly users: Users
  readonly agents: Agents
  readonly enrolment: Enrolment
  readonly apps: Apps
  readonly telemetry: Telemetry
  readonly commands: Commands
  readonly emulator: Emulator
  readonly jobs: Jobs
  readonly callbacks: Callbacks
  readonly fleet: Fleet
  readonly audit: Audit
  readonly #transport: Transport

  constructor(options: MancOptions) {
    const transport = new Transport(options)
    this.#transport = transport
    this.users = new Users(transport)
    this.agents = new Agents(transport)
    this.enrolment = new Enrolment(transport)
    this.apps = new Apps(transport)
    this.telemetry = new Telemetry(transport)
    this.commands = new Commands(transport)
    this.emulator = new Emulator(transport)
    this.jobs = new Jobs(transport)
    this.callbacks = new Callbacks(transport)
    this.fleet = new Fleet(transport)
    this.audit = new Audit(transport)
  }

  /** Logs in now, to know whether the credentials are right; else the first request does. */
  async logIn(credentials?: Credentials, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    if (credentials) this.#transport.session.use(credentials)
    await this.#transport.session.token(signal)
  }

  /** Forgets token and credentials. */
  logOut(): void {
    this.#transport.session.leave()
  }
}
