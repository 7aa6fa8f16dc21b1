import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterDirOf } from './postgres.ts'

/**
 * A killed postmaster leaves a small System V segment that its next start takes over. Where its data is thrown away
 * there is none, and the system allows only some thousands.
 */
export function releaseSharedMemory(dataDir: string): void {
  try {
    const lock = readFileSync(join(clusterDirOf(dataDir), 'postmaster.pid'), 'utf8')
    const [key, id] = lock.split('\n')[6]?.trim().split(/\s+/) ?? []
    const segments = readFileSync('/proc/sysvipc/shm', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    const isAbandoned = segments.some((it) => it[0] === key && it[1] === id && it[6] === '0')
    if (id && isAbandoned) execFileSync('/usr/bin/ipcrm', ['-m', id], { stdio: 'ignore' })
  } catch {
    // Stopped in order it has removed both the file and the segment.
  }
}
