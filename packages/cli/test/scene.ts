import { admin, type Environment, makePlace, type Place, type Replica, startReplica } from '@manc/harness'
import { inject } from 'vitest'
import { CommandLine } from './command-line.ts'

/** A controller with all roles, and its administrator at a command line. */
export interface Scene {
  place: Place
  server: Replica
  admin: CommandLine
  close(): Promise<void>
}

export async function openScene(more: Environment = {}): Promise<Scene> {
  const place = await makePlace(inject('engines'))
  const server = await startReplica({ ...place.environment, MANC_ROLES: 'api,subscriber,ingester', ...more })
  const line = new CommandLine()
  await logIn(line, server.url)
  return {
    place,
    server,
    admin: line,
    async close() {
      line.close()
      await server.stop()
      await place.drop()
    },
  }
}

export const logIn = (line: CommandLine, url: string): Promise<string> =>
  line.must(['login', '--url', url, '--username', admin.username, '--password-stdin'], {
    input: `${admin.password}\n`,
  })
