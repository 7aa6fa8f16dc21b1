#!/usr/bin/env node
// Plain JavaScript that an old Node can run, to report that it is too old.
import module from 'node:module'
import os from 'node:os'
import path from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `manc needs Node 24.12 or newer, and this is v${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org, or run "npx manc" inside the clone, which brings its own.\n',
  )
  process.exit(1)
}
// Sources are run directly; without the cache, types would be stripped at every start.
module.enableCompileCache(path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'manc'))
const { main } = await import('../src/main.ts')
await main(process.argv.slice(2))
