import {
  admin,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
  type Variables,
} from '@manc/harness'
import { inject } from 'vitest'
import { CommandLine } from './command-line.ts'

/** A controller with all roles, and its administrator at a command line. */
export interface Scene {
  environment: TestEnvironment
  server: Replica
  admin: CommandLine
  close(): Promise<void>
}

export async function openScene(more: Variables = {}): Promise<Scene> {
  const environment = await createEnvironment(inject('engines'))
  const server = await startReplica({
    ...environment.variables,
    MANC_ROLES: 'api,subscriber,ingester',
    ...more,
  })
  const line = new CommandLine()
  await logIn(line, server.url)
  return {
    environment,
    server,
    admin: line,
    async close() {
      line.close()
      await server.stop()
      await environment.drop()
    },
  }
}

export const logIn = (line: CommandLine, url: string): Promise<string> =>
  line.must(['login', '--url', url, '--username', admin.username, '--password-stdin'], {
    input: `${admin.password}\n`,
  })
