import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { Environment } from './environment.ts'

const mainFile = path.join(import.meta.dirname, '../../server/src/main.ts')

/** A server as operators start it: a process of its own. */
export interface ServerProcess {
  url: string
  internalUrl: string
  pid: number
  process: ChildProcess
  output(): string
  /** Asks it to stop; answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startProcess(environment: Environment, words: string[] = []): Promise<ServerProcess> {
  const { child, output, ended } = run(words, environment)
  const ready = await new Promise<{ url?: string; internal: string }>((resolve, reject) => {
    const look = () => {
      const line = output()
        .split('\n')
        .find((each) => each.includes('"msg":"ready"'))
      if (!line) return
      child.stdout?.off('data', look)
      resolve(JSON.parse(line))
    }
    child.stdout?.on('data', look)
    void ended.then((code) => reject(new Error(`the server ended with ${code}:\n${output()}`)))
  })
  return {
    url: ready.url ?? '',
    internalUrl: ready.internal,
    pid: child.pid ?? 0,
    process: child,
    output,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** A command that ends by itself. */
export async function runToEnd(words: string[], environment: Environment, input = '') {
  const { child, output, ended } = run(words, environment)
  child.stdin?.end(input)
  return { code: await ended, output: output() }
}

function run(words: string[], environment: Environment) {
  const child = spawn(process.execPath, [mainFile, ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, output: () => text, ended }
}
