/** Builds the console if there is no build or if its sources are newer. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const built = path.join(root, 'packages/console/dist/index.html')
const sources = [
  'packages/console/src',
  'packages/console/index.html',
  'packages/console/vite.config.ts',
  'packages/sdk/src',
  'packages/contract/src',
].map((name) => path.join(root, name))

export async function buildConsole(log: (line: string) => void): Promise<void> {
  if (existsSync(built) && newestOf(sources) <= statSync(built).mtimeMs) return
  const startedAt = Date.now()
  // Tests set NODE_ENV=test, which would produce a development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const build = spawn('npm', ['run', '-s', 'build'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    build.once('error', reject)
    build.once('exit', resolve)
  })
  // Everything else works without the console.
  if (code !== 0) return log('the console could not be built: see the error above, or run npm run build')
  log(`built the console in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

function newestOf(paths: readonly string[]): number {
  const times = paths.map((entry) => {
    const found = statSync(entry)
    if (!found.isDirectory()) return found.mtimeMs
    return newestOf(readdirSync(entry).map((name) => path.join(entry, name)))
  })
  return Math.max(0, ...times)
}
