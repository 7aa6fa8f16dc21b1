#!/usr/bin/env node
// Plain JavaScript that an old Node understands too: it has to be able to say that it is too old.
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
// Sources run as they are; without this, types would be taken out of them at every start.
module.enableCompileCache(path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'manc'))
const { main } = await import('../src/main.ts')
await main(process.argv.slice(2))
