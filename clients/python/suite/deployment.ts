import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  admin,
  closedPort,
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  type Variables,
} from '@manc/harness'
import { type EmulatorProcess, startEmulator } from '@manc/harness/emulator-process'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'

interface Options {
  /** Creates an administrator at the start. Without it, the log has a setup token. */
  withAdmin: boolean
  variables?: Variables
}

/** Engines and a controller for programs in other languages, and a support interface with what only tests may do. */
export class Deployment {
  readonly #environment: IsolatedEnvironment
  readonly #inbox: MailInbox
  readonly #variables: Variables
  readonly #support: Server
  #server: ServerProcess
  #emulator: EmulatorProcess | undefined

  private constructor(
    environment: IsolatedEnvironment,
    inbox: MailInbox,
    variables: Variables,
    server: ServerProcess,
  ) {
    this.#environment = environment
    this.#inbox = inbox
    this.#variables = variables
    this.#server = server
    this.#support = createServer((request, response) => {
      this.#answer(request).then(
        (body) => response.end(JSON.stringify(body ?? null)),
        (error: unknown) => {
          response.statusCode = 500
          response.end(String(error))
        },
      )
    })
  }

  static async open({ withAdmin, variables = {} }: Options): Promise<Deployment> {
    const environment = await createIsolatedEnvironment()
    const inbox = await startMailInbox()
    const {
      MANC_BOOTSTRAP_ADMIN_USERNAME: username = '',
      MANC_BOOTSTRAP_ADMIN_PASSWORD: password = '',
      ...rest
    } = environment.variables
    const all: Variables = {
      ...rest,
      ...(withAdmin && {
        MANC_BOOTSTRAP_ADMIN_USERNAME: username,
        MANC_BOOTSTRAP_ADMIN_PASSWORD: password,
      }),
      // The same address after a restart.
      MANC_PORT: String(await closedPort()),
      MANC_ROLES: 'api,subscriber,ingester',
      MANC_SMTP_URL: inbox.url,
      MANC_SIGNUP: 'confirmed',
      MANC_PUBLIC_URL: 'https://manc.example.test',
      MANC_RATE_CALLER_PER_MINUTE: '1000000',
      MANC_LOGINS_PER_MINUTE: '1000000',
      MANC_AGENT_SAMPLES_PER_SECOND: '1000000',
      MANC_AGENT_BYTES_PER_SECOND: '1000000000',
      ...variables,
    }
    try {
      const deployment = new Deployment(environment, inbox, all, await startServerProcess(all))
      await new Promise<void>((resolve) => deployment.#support.listen(0, '127.0.0.1', resolve))
      return deployment
    } catch (error) {
      await inbox.stop()
      await environment.drop()
      throw error
    }
  }

  get url(): string {
    return this.#server.url
  }

  /** What programs under test find in their environment. */
  get programVariables(): Variables {
    return {
      MANC_TEST_URL: this.url,
      MANC_TEST_SUPPORT: `http://127.0.0.1:${(this.#support.address() as AddressInfo).port}`,
      MANC_TEST_USERNAME: admin.username,
      MANC_TEST_PASSWORD: admin.password,
    }
  }

  async close(): Promise<void> {
    this.#support.closeAllConnections()
    this.#support.close()
    this.#emulator?.process.kill('SIGKILL')
    await this.#server.stop('SIGKILL')
    await this.#inbox.stop()
    await this.#environment.drop()
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://support')
    switch (`${request.method} ${pathname}`) {
      case 'GET /setup-token':
        return /Bearer (setup_[\w-]+)/.exec(this.#server.output())?.[1] ?? ''
      case 'GET /mails':
        return this.#inbox.textsTo(searchParams.get('to') ?? '')
      case 'POST /sql': {
        const { text, values } = JSON.parse(await textOf(request)) as { text: string; values: unknown[] }
        return this.#environment.sql(text, values)
      }
      // The app of the emulator has to be registered before.
      case 'POST /emulator':
        this.#emulator ??= startEmulator(this.url, this.#environment)
        return null
      case 'POST /server/kill':
        await this.#server.stop('SIGKILL')
        return null
      case 'POST /server/start':
        this.#server = await startServerProcess(this.#variables)
        return null
      default:
        throw new Error(`${request.method} ${pathname} is not part of the support interface.`)
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}
