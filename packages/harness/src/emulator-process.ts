import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { call } from './client.ts'
import type { Environment } from './environment.ts'
import type { Stage } from './stage.ts'

const mainFile = path.join(import.meta.dirname, '../../emulator/src/main.ts')
const app = { app_name: 'emulator', api_key: 'a-key', permissions: { scopes: ['callbacks:post'] } }

/** An emulator as operators start it: a process of its own. */
export interface EmulatorProcess {
  process: ChildProcess
  /** Its own name for itself, once it has said it. */
  id(): string
  output(): string
}

/** The application that emulators report as. */
export async function registerEmulators(url: string, token: string): Promise<void> {
  const { status, body } = await call(url, 'POST', '/api/v1/third_party_apps/', { token, body: app })
  if (status !== 200) throw new Error(`the emulator's app: ${status} ${JSON.stringify(body)}`)
}

export function startEmulator(url: string, { set }: Stage, more: Environment = {}): EmulatorProcess {
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: url,
      MANC_MQTT_URL: set.urls.mqtt,
      MANC_RABBITMQ_URL: set.urls.rabbitmq,
      MANC_EMULATOR_APP: app.app_name,
      MANC_EMULATOR_KEY: app.api_key,
      ...more,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return {
    process: child,
    id: () => /emulator ([\da-f-]{36}) for/.exec(text)?.[1] ?? '',
    output: () => text,
  }
}
