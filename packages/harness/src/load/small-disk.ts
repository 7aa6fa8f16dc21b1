import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EngineName, EngineSet } from '../../../../tools/engines/index.ts'

/** A disk of limited size that holds the data of one engine, and that a test can fill up. */
export interface SmallDisk {
  /** Takes every byte that is left; again and again, since an engine that fails gives some of its own back. */
  fill(): void
  free(): void
  /** Whether the engine has been refused a write for want of space. */
  wasFull(): boolean
  unmount(): void
}

/**
 * Moves an engine that is not in use yet to a disk of its own. Behind a link, so that the set can be taken down while
 * the disk is still mounted.
 */
export async function moveToSmallDisk(set: EngineSet, engine: EngineName, size: string): Promise<SmallDisk> {
  const place = mkdtempSync(path.join(tmpdir(), 'manc-disk-'))
  const disk = path.join(place, 'disk')
  mkdirSync(disk)
  // The engine's own account passes through here.
  chmodSync(place, 0o755)
  mount(disk, size)
  await set.stop(engine)
  const data = path.join(set.dataDir, engine)
  rmSync(data, { recursive: true })
  symlinkSync(disk, data)
  await set.start(engine)
  const ballast = path.join(disk, 'ballast')
  return {
    fill: () => writeUntilFull(ballast),
    free: () => rmSync(ballast, { force: true }),
    wasFull: () =>
      readFileSync(path.join(set.dataDir, `${engine}.log`), 'utf8').includes('no space left on device'),
    unmount() {
      // Lazily: whoever still has a file open there is about to end.
      execFileSync('umount', ['--lazy', disk])
      rmSync(place, { recursive: true, force: true })
    },
  }
}

function mount(folder: string, size: string): void {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    throw new Error('A full disk is shown on a tmpfs of limited size: run this as root, where mount works.', {
      cause: error,
    })
  }
}

function writeUntilFull(file: string): void {
  const zeros = Buffer.alloc(1024 * 1024)
  const ballast = openSync(file, 'a')
  try {
    for (;;) writeSync(ballast, zeros)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(ballast)
  }
}
