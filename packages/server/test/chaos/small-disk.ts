import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EngineSet, NodeName } from '../../../../tools/engines/index.ts'

/** A file system of limited size with the data of one node. It ends with the mount namespace of this process. */
export class SmallDisk {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Restarts the node, with its data on the small disk. */
  static async move(engines: EngineSet, node: NodeName, size: string): Promise<SmallDisk> {
    const { dataDir } = engines.inspect(node)
    await engines.stop(node)
    const { uid, gid } = statSync(dataDir)
    const copy = mkdtempSync(path.join(tmpdir(), 'manc-chaos-disk-'))
    execFileSync('cp', ['-a', `${dataDir}/.`, copy])
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${size},mode=0700,uid=${uid},gid=${gid}`,
      'tmpfs',
      dataDir,
    ])
    execFileSync('cp', ['-a', `${copy}/.`, dataDir])
    rmSync(copy, { recursive: true })
    await engines.start(node)
    return new SmallDisk(dataDir)
  }

  /** Uses up the free space, except for some. To be repeated, because a failing engine frees some of its own. */
  fill(leaveBytes: number): void {
    const zeros = Buffer.alloc(256 * 1024)
    const file = openSync(this.#ballast, 'a')
    try {
      while (this.#freeBytes() > leaveBytes + zeros.length) writeSync(file, zeros)
      if (leaveBytes === 0) for (;;) writeSync(file, zeros)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#folder])
  }

  get #ballast(): string {
    return path.join(this.#folder, 'ballast')
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }
}
