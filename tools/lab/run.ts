import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { LabError } from './lab-error.ts'

const maxErrorLength = 2000

interface Limits {
  cwd?: string
  input?: Buffer | string
  /** A program that does not end in this time is killed. */
  timeoutMs?: number
}

/** Programs of the system administrator are not in the path of every user. */
export const searchPath = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin`

/** What a program prints. Rejects with what it wrote to standard error. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, input, timeoutMs = 120_000 }: Limits = {},
): Promise<string> {
  const child = spawn(program, args, {
    env: { PATH: searchPath, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(cwd !== undefined && { cwd }),
  })
  const line = [program, ...args].join(' ').slice(0, 200)
  const ended = once(child, 'close').catch((error: unknown) => {
    throw new LabError(`${program} cannot be started: ${(error as Error).message}`)
  })
  // A program that ends early does not read all of it; its exit code tells.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [output, errors, [code, signal]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    ended,
  ])
  if (code === 0) return output
  const how = signal ? `was ended after ${timeoutMs / 1000} s` : `failed with exit code ${String(code)}`
  throw new LabError(`${line} ${how}: ${(errors || output).trim().slice(-maxErrorLength)}`)
}
