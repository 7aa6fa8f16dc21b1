import { spawn } from 'node:child_process'

export interface Outcome {
  /** Null where it was ended for want of time. */
  code: number | null
  output: string
  /** There was more than may be kept. */
  isCut: boolean
}

/** Programs are read in one language, and get nothing of ours. */
const environment = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * Runs a program without a shell, bounded in time and output. Rejects where there is no such program. What it has started
 * ends with it.
 */
export function runTool(
  [program = '', ...words]: readonly string[],
  { timeoutMs = 5000, mostBytes = 1_048_576 } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which can be ended as one.
      detached: true,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        if (bytes < mostBytes) chunks.push(chunk.subarray(0, mostBytes - bytes))
        bytes += chunk.length
      })
    let isLate = false
    const end = () => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself meanwhile.
      }
      // One that has left the group may hold them open.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, timeoutMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      const output = Buffer.concat(chunks).toString('utf8')
      resolve({ code: isLate ? null : code, output, isCut: bytes > mostBytes })
    })
  })
}

/** What a tool prints; undefined where it is not there or fails. */
export async function textOf(words: readonly string[]): Promise<string | undefined> {
  try {
    const { code, output } = await runTool(words)
    return code === 0 ? output : undefined
  } catch {
    return undefined
  }
}
