import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const agent = path.join(import.meta.dirname, '../../packages/agent')
/** Programs; the configuration has a token, which only root may read. */
const modes: [file: string, mode: number][] = [
  ['etc/init.d/manc-agent', 0o755],
  ['usr/bin/manc-agent', 0o755],
  ['usr/libexec/manc-agent-cards', 0o755],
  ['usr/libexec/manc-agent-wifi', 0o755],
  ['etc/config/manc-agent', 0o600],
]

/**
 * The shell agent as a package for opkg of OpenWrt: an archive with `debian-binary`, `control.tar.gz` and `data.tar.gz`. The same
 * files give the same bytes. Returns its path.
 */
export function buildOpenWrtPackage(into: string, version: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-ipk-'))
  try {
    const data = path.join(folder, 'data')
    const control = path.join(folder, 'control')
    cpSync(path.join(agent, 'openwrt/files'), data, { recursive: true })
    mkdirSync(path.join(data, 'usr/bin'), { recursive: true })
    cpSync(path.join(agent, 'manc-agent.sh'), path.join(data, 'usr/bin/manc-agent'))
    setModes(data)
    for (const [file, mode] of modes) chmodSync(path.join(data, file), mode)
    cpSync(path.join(agent, 'openwrt/control'), control, { recursive: true })
    const file = path.join(control, 'control')
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('@VERSION@', `${version}-1`)
        .replace('@SIZE@', String(sizeOf(data))),
    )
    setModes(control)
    for (const name of ['postinst', 'prerm']) chmodSync(path.join(control, name), 0o755)
    const parts = path.join(folder, 'parts')
    mkdirSync(parts)
    writeFileSync(path.join(parts, 'debian-binary'), '2.0\n')
    archive(path.join(parts, 'control.tar.gz'), control)
    archive(path.join(parts, 'data.tar.gz'), data)
    setModes(parts)
    mkdirSync(into, { recursive: true })
    const packed = path.join(into, `manc-agent_${version}-1_all.ipk`)
    archive(packed, parts)
    return packed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same with each umask. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/** In bytes. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)

/** Of root, in one order, without times. */
function archive(file: string, folder: string): void {
  const options = ['--format=gnu', '--sort=name', '--numeric-owner', '--owner=0', '--group=0', '--mtime=@0']
  execFileSync('tar', [...options, '--use-compress-program=gzip -n', '-cf', file, '-C', folder, '.'], {
    stdio: 'pipe',
  })
}
