import { spawn } from 'node:child_process'

interface RunOptions {
  cwd: string
  env?: Record<string, string>
}

/** Runs a program and shows its output. Resolves with the exit status and the output. */
export function run(
  program: string,
  parameters: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<{ status: number; output: string }> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const child = spawn(program, parameters, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not those of a developer's own controller: MANC_URL, MANC_TOKEN and others.
    env: { PATH, HOME, TMPDIR, ...proxySettings(), PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  let output = ''
  for (const [stream, shown] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      shown.write(chunk)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ status: code ?? 1, output }))
  })
}

export async function mustRun(
  program: string,
  parameters: readonly string[],
  options: RunOptions,
): Promise<void> {
  const { status } = await run(program, parameters, options)
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: exit status ${status}`)
}

/** How pip reaches the package index. Requests to this machine do not use a proxy. */
function proxySettings(): Record<string, string> {
  const names = /^(https?_proxy|pip_[a-z_]+|requests_ca_bundle|ssl_cert_file)$/i
  const given = Object.entries(process.env).filter(([name]) => names.test(name)) as [string, string][]
  return { ...Object.fromEntries(given), NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }
}
