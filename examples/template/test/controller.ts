import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'

export interface Controller {
  url: string
  /** Of an administrator. */
  username: string
  password: string
  close(): Promise<void>
}

/** A clone of MANC that this folder is in. */
const clone = path.join(import.meta.dirname, '../../..')
const program = path.join(clone, 'tools/dev.ts')

/**
 * The controller of MANC_URL, MANC_USERNAME and MANC_PASSWORD, which needs an emulator (`npm run dev` and `npm run demo` have
 * one). Without them one is started from the clone, with engines and data of its own, and stopped after the tests.
 */
export async function openController(): Promise<Controller> {
  const { MANC_URL: url, MANC_USERNAME: username = '', MANC_PASSWORD: password = '' } = process.env
  if (url) return { url, username, password, close: async () => {} }
  if (!existsSync(program))
    throw new Error(
      'There is no controller. Run npm run dev in a clone of MANC, and set MANC_URL, MANC_USERNAME and MANC_PASSWORD to what it prints.',
    )
  return startController()
}

async function startController(): Promise<Controller> {
  const child = spawn(process.execPath, [program, '--name', 'template', '--fresh'], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    // With the end of the line: a chunk may end within the password.
    const [, url] = /^ +console +(\S+)\n/m.exec(output) ?? []
    const [, username, password] = /^ +administrator +(\S+) +password: (\S+)\n/m.exec(output) ?? []
    if (!url || !username || !password) continue
    // What it prints later is not needed, but has to be read.
    child.stdout.resume()
    return { url, username, password, close }
  }
  throw new Error(`The controller did not start:\n${output}`)
}
