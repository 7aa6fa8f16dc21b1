import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { admin, makePlace, type Place, type ServerProcess, startProcess, tokenOf } from '@manc/harness'
import { type EngineSet, startSet } from '../tools/engines/index.ts'

/** Engines, a database of its own and our server as operators run it. */
export interface Stage {
  engines: EngineSet
  place: Place
  server: ServerProcess
  token: string
  end(): Promise<void>
}

/** With the broker as it boots, MQTT and its questions to us included; else with a virtual host of its own. */
export async function setStage(
  say: (line: string) => void,
  options: { ownBroker?: boolean } = {},
): Promise<Stage> {
  say('starting the engines …')
  const engines = await startSet({ name: 'bench', ephemeral: true })
  const place = await makePlace(engines.urls)
  Object.assign(place.environment, {
    MANC_RATE_CALLER_PER_MINUTE: '1000000000',
    MANC_RATE_AGENT_PER_MINUTE: '1000000000',
    MANC_LOG_LEVEL: 'info',
    ...(options.ownBroker && { MANC_RABBITMQ_URL: engines.urls.rabbitmq }),
  })
  const internalPort = options.ownBroker ? { MANC_INTERNAL_PORT: String(engines.ports.internal) } : {}
  const server = await startProcess({ ...place.environment, MANC_ROLES: 'api,subscriber', ...internalPort })
  const token = await tokenOf(server.url, 'user', admin.username, admin.password)
  return {
    engines,
    place,
    server,
    token,
    async end() {
      await server.stop()
      await engines.down()
    },
  }
}

/** The same work with the engine's library and nothing of ours, in a process of its own. */
export async function startBare(
  file: string,
  environment: Record<string, string>,
): Promise<{ url: string; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'bare', file)], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string))
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)))
  })
  return { url, stop: () => child.kill('SIGKILL') }
}
