import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * What the scripts may use: applets that busybox has in the default configuration of OpenWrt, and curl, which the package requires.
 * Without od and timeout, which are not in it.
 */
const permitted = 'awk cat curl date head hexdump mkdir mv rm sed sh sleep sync tail wc'.split(' ')
const folders = ['/usr/bin', '/bin']

/** Makes a folder of only these programs, for PATH, and of the test peers that are given by name. */
export function openWrtPrograms(folder: string, peers: Record<string, string>): void {
  mkdirSync(folder)
  for (const name of permitted) {
    const file = folders.map((each) => path.join(each, name)).find((each) => existsSync(each))
    if (file === undefined) throw new Error(`${name} is missing. Install curl and bsdextrautils.`)
    symlinkSync(file, path.join(folder, name))
  }
  for (const [name, peer] of Object.entries({ tr: 'tr.sh', ...peers }))
    symlinkSync(path.join(import.meta.dirname, peer), path.join(folder, name))
}
