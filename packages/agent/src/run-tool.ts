import { spawn } from 'node:child_process'

export interface Outcome {
  /** Null if the program timed out. */
  code: number | null
  output: string
  /** The output was longer than `maxBytes`. */
  isCut: boolean
}

interface Limits {
  timeoutMs?: number
  /** Ends it like a timeout. */
  signal?: AbortSignal
  maxBytes?: number
  /** Standard error is a part of the output. */
  withErrors?: boolean
}

/** LC_ALL=C because output is parsed. The agent's other variables are not passed on: they may be secrets. */
export const toolEnvironment = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * Runs a program without a shell, with limits on time and output. Rejects if the program cannot be started. On a timeout
 * its child processes are killed too.
 */
export function runTool(
  [program = '', ...args]: readonly string[],
  { timeoutMs = 5000, signal, maxBytes = 1_048_576, withErrors = true }: Limits = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: toolEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, so that child processes can be killed too.
      detached: true,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stderr.resume()
    for (const stream of withErrors ? [child.stdout, child.stderr] : [child.stdout])
      stream.on('data', (chunk: Buffer) => {
        if (bytes < maxBytes) chunks.push(chunk.subarray(0, maxBytes - bytes))
        bytes += chunk.length
      })
    let isTimedOut = false
    const kill = () => {
      isTimedOut = true
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has exited meanwhile.
      }
      // A child that has left the group may keep the pipes open.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(kill, timeoutMs)
    signal?.addEventListener('abort', kill, { once: true })
    if (signal?.aborted) kill()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
    child.once('error', (error) => {
      done()
      reject(error)
    })
    child.once('close', (code) => {
      done()
      const output = Buffer.concat(chunks).toString('utf8')
      resolve({ code: isTimedOut ? null : code, output, isCut: bytes > maxBytes })
    })
  })
}

/** The output of a tool; undefined if it is not installed or fails. */
export async function textOf(commandLine: readonly string[]): Promise<string | undefined> {
  try {
    const { code, output } = await runTool(commandLine)
    return code === 0 ? output : undefined
  } catch {
    return undefined
  }
}
