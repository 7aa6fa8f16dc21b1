import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

const mainFile = path.join(import.meta.dirname, '../src/app/main.ts')

/** `manc-advisor` in a child process, as operators start it. */
export interface AdvisorProcess {
  process: ChildProcess
  output(): string
  /** Resolves with its exit code. */
  ended: Promise<number | null>
}

export function startAdvisor(
  settings: Record<string, string>,
  words: readonly string[] = [],
): AdvisorProcess {
  const child = spawn(process.execPath, [mainFile, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...settings },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { process: child, output: () => text, ended }
}
