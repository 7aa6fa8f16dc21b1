import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { TestEnvironment, Variables } from './environment.ts'
import { call } from './http-client.ts'
import { programEnvironment } from './program-environment.ts'

const mainFile = path.join(import.meta.dirname, '../../emulator/src/main.ts')
const app = { app_name: 'emulator', api_key: 'a-key', permissions: { scopes: ['callbacks:post'] } }

/** An emulator in a child process, as operators start it. */
export interface EmulatorProcess {
  process: ChildProcess
  /** The id that it has logged; empty before. */
  id(): string
  output(): string
}

/** Registers the third-party app that emulators log in as. */
export async function registerEmulatorApp(url: string, token: string): Promise<void> {
  const { status, body } = await call(url, 'POST', '/api/v1/third_party_apps/', { token, body: app })
  if (status !== 200) throw new Error(`the emulator's app: ${status} ${JSON.stringify(body)}`)
}

export function startEmulator(
  url: string,
  { engines }: TestEnvironment,
  more: Variables = {},
): EmulatorProcess {
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...programEnvironment,
      MANC_API_URL: url,
      MANC_MQTT_URL: engines.mqtt,
      MANC_RABBITMQ_URL: engines.rabbitmq,
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
