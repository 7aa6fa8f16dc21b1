import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { LabError } from './lab-error.ts'
import { run } from './run.ts'

/** `init` and what it runs. */
export const scriptsFolder = path.join(import.meta.dirname, 'guest')

const modules = ['virtio_pci', 'virtio_net', 'bridge', 'ccm', 'cmac', 'gcm', 'ctr', 'mac80211_hwsim']
const programs = `
  usr/sbin/hostapd usr/sbin/hostapd_cli sbin/wpa_supplicant sbin/wpa_cli sbin/iw bin/ip
  usr/sbin/dropbear usr/bin/dropbearkey`
  .trim()
  .split(/\s+/)
const folders = ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'lib/firmware', 'lib/x86_64-linux-gnu', 'lib64', 'etc']
const emptyFolders = ['proc', 'sys', 'dev', 'run', 'tmp', 'root', 'lab']

/** The file system of the guest from unpacked packages. */
export async function makeRoot(stage: string, root: string): Promise<void> {
  for (const folder of [...folders, ...emptyFolders]) mkdirSync(path.join(root, folder), { recursive: true })
  await copyModules(stage, root)
  await copyPrograms(stage, root)
  await linkBusybox(stage, root)
  // The rules of radios in each country, which the kernel reads.
  for (const name of ['regulatory.db', 'regulatory.db.p7s'])
    copyFileSync(path.join(stage, `lib/firmware/${name}-debian`), path.join(root, 'lib/firmware', name))
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n')
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnetdev:x:101:\n')
  const scripts = { init: 'init', 'wifi.sh': 'lab/wifi.sh', coverage: 'usr/bin/coverage' }
  for (const [from, to] of Object.entries(scripts)) {
    copyFileSync(path.join(scriptsFolder, from), path.join(root, to))
    chmodSync(path.join(root, to), 0o755)
  }
}

const kernelVersion = (stage: string) => readdirSync(path.join(stage, 'lib/modules'))[0] ?? ''

async function copyModules(stage: string, root: string): Promise<void> {
  const kernel = kernelVersion(stage)
  await run('depmod', ['-b', stage, kernel])
  const wanted = new Set<string>()
  for (const name of modules) {
    const text = await run('modprobe', ['-d', stage, '-S', kernel, '--show-depends', name])
    for (const [, file = ''] of text.matchAll(/^insmod (\S+)/gm)) wanted.add(path.relative(stage, file))
  }
  const lists = ['modules.order', 'modules.builtin', 'modules.builtin.modinfo']
  for (const file of [...wanted, ...lists.map((name) => path.join('lib/modules', kernel, name))]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    copyFileSync(path.join(stage, file), path.join(root, file))
  }
  await run('depmod', ['-b', root, kernel])
}

/** With the libraries that they load. */
async function copyPrograms(stage: string, root: string): Promise<void> {
  const loader = path.join(stage, 'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2')
  const search = ['lib', 'usr/lib'].map((folder) => path.join(stage, folder, 'x86_64-linux-gnu')).join(':')
  const libraries = new Set<string>()
  for (const program of programs) {
    const file = path.join(root, program)
    cpSync(path.join(stage, program), file, { dereference: true })
    const text = await run(loader, ['--library-path', search, '--list', file])
    for (const [, library = ''] of text.matchAll(/ => (.+) \(0x/g)) libraries.add(library)
    // One of this machine may have another version.
    if (/ => (?!\/)/.test(text) || [...libraries].some((library) => !library.startsWith(stage)))
      throw new LabError(`A library of ${program} is not in the packages of the guest:\n${text}`)
  }
  for (const file of libraries)
    copyFileSync(file, path.join(root, 'lib/x86_64-linux-gnu', path.basename(file)))
  copyFileSync(loader, path.join(root, 'lib64/ld-linux-x86-64.so.2'))
}

async function linkBusybox(stage: string, root: string): Promise<void> {
  const busybox = path.join(stage, 'bin/busybox')
  cpSync(busybox, path.join(root, 'bin/busybox'))
  for (const name of (await run(busybox, ['--list'])).split('\n').filter((line) => /^[\w[-]+$/.test(line))) {
    const link = path.join(root, 'bin', name)
    if (!existsSync(link)) symlinkSync('busybox', link)
  }
}

const xzHeader = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])

/** Uncompressed: without hardware virtualization, the guest takes 7 s longer to do that itself. */
export async function writeKernel(stage: string, to: string): Promise<void> {
  const packed = path.join(stage, 'boot', `vmlinuz-${kernelVersion(stage)}`)
  const at = readFileSync(packed).indexOf(xzHeader)
  if (at === -1) return copyFileSync(packed, to)
  // It has more after the compressed part.
  const unpack = 'tail -c "+$1" "$2" | xz -dc --single-stream >"$3"'
  await run('sh', ['-c', unpack, 'sh', String(at + 1), packed, to])
}
