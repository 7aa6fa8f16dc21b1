/** Beside each built file a smaller one, so that nobody has to make it while a page waits. Prints what a first visit loads. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = path.join(import.meta.dirname, 'dist')
/** Of gzipped script, for what one needs to sign in and to see the network. The map comes after it. */
const mostKb = 350

interface Chunk {
  file: string
  imports?: string[]
}

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|mjs|css|json|svg|html)$/.test(entry.name)) continue
  const file = path.join(entry.parentPath, entry.name)
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
}

const chunks = JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>

/** A chunk and all that it cannot do without. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[name]
  if (!chunk) throw new Error(`${name} is not in the manifest of the build. Has it been renamed?`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const other of chunk.imports ?? []) filesOf(other, found)
  return found
}

const kb = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(path.join(folder, `${file}.gz`)).size, 0) / 1024

const signIn = filesOf('index.html')
const home = new Set([...signIn, ...filesOf('src/network/network.tsx')])
const map = filesOf('src/map/fleet-map.tsx').difference(home)
console.log(`
script, gzipped
  sign-in             ${kb(signIn).toFixed(0)} KB
  sign-in and home    ${kb(home).toFixed(0)} KB (at most ${mostKb} KB)
  the map after that  ${kb(map).toFixed(0)} KB`)
if (kb(home) > mostKb) throw new Error('A first visit loads too much. Load what it does not need later.')
