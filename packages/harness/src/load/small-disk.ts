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

/** A file system of limited size for the data of one engine, which a test can fill up. */
export interface SmallDisk {
  /** Uses up all free space. To be repeated, because a failing engine frees some of its own. */
  fill(): void
  free(): void
  /** Whether a write of the engine has failed for lack of space. */
  wasFull(): boolean
  unmount(): void
}

/**
 * Moves the data folder of an engine that is not in use yet to a small disk. It is a symbolic link, so that the engine
 * set can be taken down while the disk is still mounted.
 */
export async function moveToSmallDisk(set: EngineSet, engine: EngineName, size: string): Promise<SmallDisk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-disk-'))
  const disk = path.join(folder, 'disk')
  mkdirSync(disk)
  // The engine runs under another account, which must be able to enter this folder.
  chmodSync(folder, 0o755)
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
      // Lazily: a process with an open file there is about to end.
      execFileSync('umount', ['--lazy', disk])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mount(folder: string, size: string): void {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(
      'This suite fills a tmpfs of limited size. Run it as root, on a machine where mount works.',
      {
        cause: error,
      },
    )
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
