/**
 * What `npm pack` takes along (publish the file that it makes: `npm publish manc-sdk-1.1.0.tgz`). Here packages run from
 * their TypeScript sources; Node takes no types out of what is installed, so a package that is given away is JavaScript
 * with its types beside it.
 *
 *   node ../../tools/pack.ts build     as `prepack` of a package: makes dist/, and a package.json that points there
 *   node ../../tools/pack.ts restore   as its `postpack`: everything is as it was
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Manifest {
  name: string
  version: string
  exports?: string | Record<string, string>
  /** By condition. */
  imports?: Record<string, Record<string, string>>
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  scripts?: unknown
  [member: string]: unknown
}

const root = path.join(import.meta.dirname, '..')
const compiler = path.join(root, 'node_modules/@typescript/native/bin/tsc')
const own = '@manc/'

const [, , task] = process.argv
const folder = process.cwd()
const manifestFile = path.join(folder, 'package.json')
const keptManifest = path.join(folder, '.package.json')
const licence = path.join(folder, 'LICENSE')

/** Also after a run that did not come to its end. */
function restore(): void {
  if (!existsSync(keptManifest)) return
  renameSync(keptManifest, manifestFile)
  rmSync(licence, { force: true })
}

/** To JavaScript and declarations, in dist/. Our packages that it uses come first: it is compiled against their declarations. */
function compile(at: string): void {
  const { bin = {}, dependencies = {} } = read(at)
  const used = Object.keys(dependencies).filter((name) => name.startsWith(own))
  for (const name of used) compile(folderOf(name))
  const options = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: '.',
      outDir: 'dist',
      paths: Object.fromEntries(used.flatMap((name) => declarationsOf(name))),
    },
    include: ['src'],
    exclude: ['src/**/*.test.ts'],
  }
  const optionsFile = path.join(at, '.tsconfig.json')
  rmSync(path.join(at, 'dist'), { recursive: true, force: true })
  writeFileSync(optionsFile, JSON.stringify(options))
  try {
    execFileSync(process.execPath, [compiler, '-p', optionsFile], { stdio: 'inherit' })
  } finally {
    rmSync(optionsFile)
  }
  for (const file of Object.values(bin).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(path.join(at, file), 'utf8')
    mkdirSync(path.join(at, 'dist', path.dirname(file)), { recursive: true })
    writeFileSync(path.join(at, 'dist', file), text.replaceAll(/(import\('[^']+)\.ts'/g, "$1.js'"))
  }
}

/** By its full name, as `@manc/sdk/agent`. */
function declarationsOf(name: string): [string, string[]][] {
  const at = folderOf(name)
  return Object.entries(exportsOf(read(at))).map(([entry, file]) => [
    path.posix.join(name, entry),
    [path.join(at, built(file, '.d.ts'))],
  ])
}

function published({ scripts: _scripts, ...manifest }: Manifest): Manifest {
  const { engines, repository } = read(root)
  const entries = Object.entries(exportsOf(manifest)).map(([entry, file]) => [
    entry,
    { types: `./${built(file, '.d.ts')}`, default: `./${built(file, '.js')}` },
  ])
  return {
    ...manifest,
    ...(repository !== undefined && { repository }),
    engines,
    ...(manifest.exports && { exports: Object.fromEntries(entries) }),
    ...(manifest.imports && { imports: builtImports(manifest.imports) }),
    ...(manifest.bin && {
      bin: Object.fromEntries(Object.entries(manifest.bin).map(([name, file]) => [name, built(file, '.js')])),
    }),
  }
}

const builtImports = (imports: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(imports).map(([name, files]) => [
      name,
      Object.fromEntries(
        Object.entries(files).map(([condition, file]) => [condition, `./${built(file, '.js')}`]),
      ),
    ]),
  )

const exportsOf = ({ exports = {} }: Manifest): Record<string, string> =>
  typeof exports === 'string' ? { '.': exports } : exports

const built = (file: string, ending: string) => path.posix.join('dist', file).replace(/\.(ts|js)$/, ending)

const folderOf = (name: string) => path.join(root, 'packages', name.slice(own.length))

/** As it is in the sources. */
function read(at: string): Manifest {
  const kept = path.join(at, '.package.json')
  return JSON.parse(readFileSync(existsSync(kept) ? kept : path.join(at, 'package.json'), 'utf8')) as Manifest
}

if (task === 'build') {
  restore()
  compile(folder)
  const manifest = read(folder)
  renameSync(manifestFile, keptManifest)
  writeFileSync(manifestFile, `${JSON.stringify(published(manifest), undefined, 2)}\n`)
  copyFileSync(path.join(root, 'LICENSE'), licence)
} else if (task === 'restore') restore()
else {
  console.error('Say "build" or "restore"; npm does when it packs a package: npm pack -w @manc/sdk')
  process.exitCode = 2
}
