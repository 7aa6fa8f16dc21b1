import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { output, run } from './run.ts'

const folder = path.join(import.meta.dirname, 'test')
const prefix = 'localhost/manc-test'
const release = 'trixie'
const systemCertificates = '/etc/ssl/certs/ca-certificates.crt'

/** Files that official slim images leave out. */
const unused = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
]

export interface TestImages {
  /** Debian, and the same with Node and npm: the build arguments of the images. */
  base: string
  node: string
  postgres: string
  rabbitmq: string
  victoria: string
  vmalert: string
  haproxy: string
}

/**
 * Images that stand in for those of a registry: made with debootstrap, from the root file system of engines and from Debian
 * packages. Each is made once; `podman rmi` removes it.
 */
export async function makeTestImages(enginesRoot: string): Promise<TestImages> {
  const base = `${prefix}/debian:${release}`
  const node = `${prefix}/node:24`
  const engines = `${prefix}/engines:${release}`
  if (!(await exists(base))) await importDebian(base)
  if (!(await exists(node))) await buildNode(base, node)
  if (!(await exists(engines))) {
    if (!existsSync(enginesRoot))
      throw new Error(`${enginesRoot} does not exist. Run: npm run engines -- install ${enginesRoot}`)
    await importFolder(enginesRoot, engines)
  }
  const images = { postgres: '', rabbitmq: '', victoria: '', vmalert: '', haproxy: '' }
  for (const target of Object.keys(images) as (keyof typeof images)[]) {
    images[target] = `${prefix}/${target}:${release}`
    await run('podman', [
      'build',
      '--format',
      'docker',
      '--network=host',
      '-f',
      path.join(folder, 'Containerfile'),
      '--build-arg',
      `ENGINES=${engines}`,
      '--target',
      target,
      '-t',
      images[target],
      folder,
    ])
  }
  return { base, node, ...images }
}

async function exists(name: string): Promise<boolean> {
  return output('podman', ['image', 'exists', name]).then(
    () => true,
    () => false,
  )
}

async function importDebian(name: string): Promise<void> {
  const made = mkdtempSync(path.join(tmpdir(), 'manc-debian-'))
  try {
    const mirror = process.env['MANC_DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian'
    await run('debootstrap', ['--variant=minbase', release, made, mirror])
    for (const each of unused) rmSync(path.join(made, each), { recursive: true, force: true })
    await importFolder(made, name)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** The Node of this process and the npm that started it. */
async function buildNode(base: string, name: string): Promise<void> {
  const npm = process.env['npm_execpath']
  if (!npm) throw new Error('Run this with npm.')
  const context = mkdtempSync(path.join(tmpdir(), 'manc-node-'))
  try {
    cpSync(process.execPath, path.join(context, 'node'), { dereference: true })
    cpSync(path.join(path.dirname(npm), '..'), path.join(context, 'npm'), { recursive: true })
    // The registry may be behind a proxy with a private CA that this machine trusts.
    cpSync(systemCertificates, path.join(context, 'ca-certificates.crt'), { dereference: true })
    await run('podman', [
      'build',
      '-f',
      path.join(folder, 'node.Containerfile'),
      '--build-arg',
      `BASE_IMAGE=${base}`,
      '-t',
      name,
      context,
    ])
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

async function importFolder(from: string, name: string): Promise<void> {
  const tar = spawn('tar', ['-C', from, '--one-file-system', '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const podman = spawn('podman', ['import', '-', name], { stdio: [tar.stdout, 'inherit', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => {
    podman.once('error', reject)
    podman.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`podman import of ${from} ended with ${code}.`)
}
