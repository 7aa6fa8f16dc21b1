import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LabError } from './lab-error.ts'
import { run, searchPath } from './run.ts'

/** A program of each package of Debian that the lab runs on this machine. */
const wifiPrograms = {
  'qemu-system-x86': 'qemu-system-x86_64',
  cpio: 'cpio',
  kmod: 'depmod',
  'xz-utils': 'xz',
  'openssh-client': 'ssh',
}
const devicePrograms = { snmpd: 'snmpd', 'prometheus-node-exporter': 'prometheus-node-exporter' }

const policy = '/usr/sbin/policy-rc.d'

/** Of the guest with the access points. */
export const installForWifi = (log: (line: string) => void): Promise<void> => install(wifiPrograms, log)

/** Of all devices of the lab. */
export const installForLab = (log: (line: string) => void): Promise<void> =>
  install({ ...wifiPrograms, ...devicePrograms }, log)

/** Installs what is missing, by name, if this process may; otherwise the error has the command. */
async function install(programs: Record<string, string>, log: (line: string) => void): Promise<void> {
  if (process.arch !== 'x64') throw new LabError(`The lab runs on x86-64 only, not on ${process.arch}.`)
  if (!isInstalled('apt-get') || !isInstalled('dpkg-deb'))
    throw new LabError(
      'The lab takes its programs from Debian packages, and there is no apt-get here. Use Debian 12.',
    )
  const missing = Object.entries(programs).flatMap(([name, program]) => (isInstalled(program) ? [] : [name]))
  if (missing.length === 0) return
  if (process.getuid?.() !== 0)
    throw new LabError(
      `Packages are missing. Install them: sudo apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  log(`installing ${missing.join(', ')}`)
  await run('apt-get', ['update', '-qq'])
  await withoutServices(() =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { timeoutMs: 600_000 }),
  )
}

/** The lab starts its own snmpd and exporter. The package scripts must not start system services. */
async function withoutServices(work: () => Promise<unknown>): Promise<unknown> {
  if (existsSync(policy)) return work()
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await work()
  } finally {
    rmSync(policy)
  }
}

function isInstalled(program: string): boolean {
  return searchPath.split(':').some((folder) => {
    if (folder === '') return false
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
