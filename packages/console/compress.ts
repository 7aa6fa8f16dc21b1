/** Compresses every built file in advance, prints the size of a first visit and enforces its limit. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = path.join(import.meta.dirname, 'dist')
/** Limit of gzipped script for sign-in and the network page. The map is loaded later. */
const maxKb = 350

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

/** A chunk and its static imports. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[name]
  if (!chunk)
    throw new Error(`${name} is not in the manifest of the build. If it was renamed, change compress.ts.`)
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
  sign-in and home    ${kb(home).toFixed(0)} KB (at most ${maxKb} KB)
  the map after that  ${kb(map).toFixed(0)} KB`)
if (kb(home) > maxKb) throw new Error('A first visit exceeds the limit. Load what it does not need later.')
