import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Verdict } from './checker.ts'

/** Set in processes that have namespaces of their own. */
const isolated = 'MANC_CHAOS_ISOLATED'

export const isIsolated = (): boolean => process.env[isolated] !== undefined

/** Verdicts on the configurations, and whether every process ran to its end. */
export interface Outcome {
  verdicts: Verdict[]
  isComplete: boolean
}

/**
 * Divides the configurations among this many processes, each with a deployment and namespaces of its own: network rules and
 * mounts are not visible outside, and end with the process.
 */
export async function runIsolated(
  program: string,
  names: readonly string[],
  processes: number,
): Promise<Outcome> {
  const shares = Array.from({ length: Math.min(processes, names.length) }, (_, n) =>
    names.filter((_name, index) => index % processes === n),
  )
  const verdicts: Verdict[] = []
  const exitCodes = await Promise.all(
    shares.map((share, n) =>
      runShare([process.execPath, program, ...share], (line) => {
        if (line.startsWith('{')) verdicts.push(JSON.parse(line) as Verdict)
        console.log(shares.length > 1 ? `[${n + 1}] ${line}` : line)
      }),
    ),
  )
  const order = (name: string) => names.indexOf(name)
  return {
    verdicts: verdicts.toSorted((a, b) => order(a.name) - order(b.name)),
    isComplete: exitCodes.every((code) => code === 0),
  }
}

async function runShare(command: readonly string[], print: (line: string) => void): Promise<number | null> {
  const script = 'ip link set lo up && exec "$@"'
  const args = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...command]
  const child = spawn('unshare', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [isolated]: '1' },
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', ({ message }) =>
      reject(new Error(`unshare: ${message}. Run it as root, on Linux, with util-linux installed.`)),
    )
  })
  createInterface({ input: child.stdout }).on('line', print)
  return closed
}
