import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  url: string
  /** Lua that returns the next path; `n` is a random integer. */
  path: string
  headers?: Record<string, string>
  /** Lua that returns the body; requests are POSTs if it is given. */
  body?: string
  connections: number
  seconds: number
}

/** Requests per second at saturation. Any status but 200 fails the bench: errors are cheap and would look fast. */
export async function saturate(load: Load): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-bench-'))
  const script = path.join(folder, 'load.lua')
  const headers = Object.entries(load.headers ?? {}).map(([name, value]) => `["${name}"] = "${value}"`)
  writeFileSync(
    script,
    `math.randomseed(os.time())
     local headers = { ${headers.join(', ')} }
     request = function()
       local n = math.random(0, 2147483647)
       return wrk.format("${load.body ? 'POST' : 'GET'}", ${load.path}, headers, ${load.body ?? 'nil'})
     end
     done = function(summary)
       local errors = summary.errors
       io.write("RESULT " .. summary.requests .. " " .. summary.duration .. " " ..
         (errors.status + errors.connect + errors.read + errors.write + errors.timeout) .. "\\n")
     end\n`,
  )
  try {
    const args = ['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '-s', script, load.url]
    const { stdout } = await promisify(execFile)('wrk', args)
    const [, requests, microseconds, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(stdout) ?? []
    if (errors !== '0') throw new Error(`${errors} of ${requests} requests failed:\n${stdout}`)
    return Number(requests) / (Number(microseconds) / 1e6)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('wrk is not installed. On Debian or Ubuntu: apt-get install wrk', { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
