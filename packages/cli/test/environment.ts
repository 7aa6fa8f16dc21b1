import { admin, createEnvironment, TestEnvironment, type Variables } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { inject } from 'vitest'
import { CommandLine } from './command-line.ts'

/** A server with all roles, and a command line on which its administrator is logged in. */
export class CliEnvironment extends TestEnvironment {
  readonly admin = new CommandLine()

  static async open(more: Variables = {}): Promise<CliEnvironment> {
    const base = await createEnvironment(inject('engines'), {
      MANC_ROLES: 'api,subscriber,ingester',
      ...more,
    })
    const environment = new CliEnvironment(base.engines, base.variables, () => base.drop())
    await environment.serve()
    await logIn(environment.admin, environment.url)
    return environment
  }

  override async drop(): Promise<void> {
    this.admin.close()
    await super.drop()
  }
}

export const logIn = (line: CommandLine, url: string): Promise<string> =>
  line.must(['login', '--url', url, '--username', admin.username, '--password-stdin'], {
    input: `${admin.password}\n`,
  })

export const test = environmentTest(({ variables }) => CliEnvironment.open(variables))
