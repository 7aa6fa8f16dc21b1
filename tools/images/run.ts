import { spawn } from 'node:child_process'

interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a program with its output on this terminal. */
export async function run(program: string, args: string[], options: RunOptions = {}): Promise<void> {
  await execute(program, args, options, 'inherit')
}

/** Runs a program and returns what it prints. */
export async function output(program: string, args: string[], cwd?: string): Promise<string> {
  return (await execute(program, args, cwd === undefined ? {} : { cwd }, 'pipe')).trim()
}

async function execute(
  program: string,
  args: string[],
  options: RunOptions,
  stdio: 'inherit' | 'pipe',
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', stdio, stdio] })
  let text = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)))
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with ${code}. ${errors.slice(-2000)}`)
  return text
}
