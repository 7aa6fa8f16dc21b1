import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { Variables } from './environment.ts'
import { programEnvironment } from './program-environment.ts'

const thisRelease = path.join(import.meta.dirname, '../../server/src/main.ts')

/** A server in a child process, as operators start it. */
export interface ServerProcess {
  url: string
  internalUrl: string
  pid: number
  process: ChildProcess
  output(): string
  /** Sends the signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startServerProcess(
  variables: Variables,
  parameters: string[] = [],
  /** The program of another release. */
  mainFile = thisRelease,
): Promise<ServerProcess> {
  const { child, output, ended } = run(parameters, variables, mainFile)
  const ready = await new Promise<{ url?: string; internal: string }>((resolve, reject) => {
    const readOutput = () => {
      const line = output()
        .split('\n')
        .find((each) => each.includes('"msg":"ready"'))
      if (!line) return
      child.stdout?.off('data', readOutput)
      resolve(JSON.parse(line))
    }
    child.stdout?.on('data', readOutput)
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

/** Runs a command of the server's program that ends by itself. */
export async function runServerCommand(parameters: string[], variables: Variables, input = '') {
  const { child, output, ended } = run(parameters, variables)
  child.stdin?.end(input)
  return { code: await ended, output: output() }
}

function run(parameters: string[], variables: Variables, mainFile = thisRelease) {
  const child = spawn(process.execPath, [mainFile, ...parameters], {
    env: { ...programEnvironment, ...variables },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    // A session of its own, as a service has: Linux gives each session an equal part of the CPU (`sched_autogroup`).
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, output: () => text, ended }
}
