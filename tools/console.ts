/** The console, built where it is not, or where its sources are newer. */
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
  // Also where tests ask for it, whose environment would make it a build for developers.
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
  // All else works without it.
  if (code !== 0) return log('the console could not be built: see above, or run npm run build')
  log(`the console is built after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

function newestOf(places: readonly string[]): number {
  const times = places.map((place) => {
    const found = statSync(place)
    if (!found.isDirectory()) return found.mtimeMs
    return newestOf(readdirSync(place).map((name) => path.join(place, name)))
  })
  return Math.max(0, ...times)
}
