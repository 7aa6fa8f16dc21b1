import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { LabError } from './lab-error.ts'
import { run } from './run.ts'
import { makeRoot, scriptsFolder, writeKernel } from './wifi-root.ts'

/** What the programs in the guest and their libraries are packed in, beside the kernel. Debian 12. */
const packages = `
  hostapd wpasupplicant iw iproute2 busybox-static dropbear-bin wireless-regdb
  libc6 libssl3 libnl-3-200 libnl-genl-3-200 libnl-route-3-200 libdbus-1-3
  libpcsclite1 libreadline8 libtinfo6 libsystemd0 libcap2 libgcrypt20 libgpg-error0
  liblzma5 liblz4-1 libzstd1 libbpf1 libelf1 zlib1g libmnl0 libbsd0 libmd0
  libcrypt1 libtomcrypt1 libtommath1 libgmp10`
  .trim()
  .split(/\s+/)

/** Change it when the image is made in another way from the same packages and scripts. */
const version = 1

const cacheFolder = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'manc-lab')

export interface WifiImage {
  kernel: string
  initramfs: string
}

/** The kernel and the file system of the guest, made once from Debian packages, which are not installed. */
export async function wifiImage(log: (line: string) => void): Promise<WifiImage> {
  const folder = path.join(cacheFolder, `image-${digest()}`)
  const image = { kernel: path.join(folder, 'vmlinux'), initramfs: path.join(folder, 'initramfs.cpio') }
  if (existsSync(folder)) return image
  const debs = await download(path.join(cacheFolder, 'debs'), log)
  log(`making the image of the guest in ${cacheFolder} (once, up to a minute)`)
  const draft = path.join(cacheFolder, `draft-${process.pid}`)
  try {
    await build(debs, draft)
    // Another process may have made the same one meanwhile.
    if (!existsSync(folder)) renameSync(draft, folder)
    removeOthers(path.basename(folder))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return image
}

function digest(): string {
  const hash = createHash('sha256').update(JSON.stringify([version, packages]))
  for (const name of readdirSync(scriptsFolder).sort())
    hash.update(readFileSync(path.join(scriptsFolder, name)))
  return hash.digest('hex').slice(0, 16)
}

/** The files of all packages. Those that were downloaded before are used again. */
async function download(folder: string, log: (line: string) => void): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const wanted = [await kernelPackage(), ...packages]
  const fileOf = (name: string) => readdirSync(folder).find((file) => file.startsWith(`${name}_`))
  const missing = wanted.filter((name) => fileOf(name) === undefined)
  if (missing.length > 0) await downloadMissing(missing, folder, log)
  return wanted.map((name) => path.join(folder, fileOf(name) ?? name))
}

async function downloadMissing(
  missing: string[],
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  log(`downloading ${missing.length} Debian packages for the guest (up to 90 MB)`)
  // A file of a killed download would be taken for a package.
  const draft = path.join(cacheFolder, `download-${process.pid}`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft)
  try {
    await run('apt-get', ['download', '-q', ...missing], { cwd: draft, timeoutMs: 600_000 })
    for (const name of readdirSync(draft)) renameSync(path.join(draft, name), path.join(folder, name))
  } catch (error) {
    throw new LabError(
      `${(error as Error).message}\nThe packages of the guest cannot be downloaded. Run apt-get update as root, and use Debian 12.`,
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The newest kernel of this release. */
async function kernelPackage(): Promise<string> {
  const text = await run('apt-cache', ['depends', 'linux-image-amd64'])
  const name = /Depends: (linux-image-\d\S*)/.exec(text)?.[1]
  if (name === undefined)
    throw new LabError(
      'apt-cache does not know linux-image-amd64. Run apt-get update as root, and try again.',
    )
  return name
}

async function build(debs: readonly string[], draft: string): Promise<void> {
  const stage = path.join(draft, 'stage')
  const root = path.join(draft, 'root')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  for (const file of debs) await run('dpkg-deb', ['-x', file, stage])
  await makeRoot(stage, root)
  await writeKernel(stage, path.join(draft, 'vmlinux'))
  const pack = 'find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc --owner=0:0 >../initramfs.cpio'
  await run('sh', ['-c', pack], { cwd: root })
  rmSync(stage, { recursive: true, force: true })
  rmSync(root, { recursive: true, force: true })
}

/** Images of other versions, and what a process has left that was killed. */
function removeOthers(kept: string): void {
  for (const name of readdirSync(cacheFolder)) {
    const pid = /^(?:draft|download)-(\d+)$/.exec(name)?.[1]
    const isOld = pid === undefined ? name.startsWith('image-') : !existsSync(`/proc/${pid}`)
    if (isOld && name !== kept) rmSync(path.join(cacheFolder, name), { recursive: true, force: true })
  }
}
