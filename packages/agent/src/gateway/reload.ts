import { createHash } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'

const pollMs = 2000

/**
 * Calls back when one of the files has other content, and on SIGHUP. Files are polled: notifications of the kernel do not
 * report files that are replaced through a symbolic link, as in Kubernetes, or changed on a network file system.
 */
export class ReloadTrigger {
  readonly #onReload: (cause: string) => void
  readonly #watched = new Map<string, string>()
  readonly #onSignal = () => this.#onReload('SIGHUP')

  constructor(onReload: (cause: string) => void) {
    this.#onReload = onReload
    process.on('SIGHUP', this.#onSignal)
  }

  /** Replaces the list. */
  watch(files: readonly string[]): void {
    for (const file of this.#watched.keys()) if (!files.includes(file)) this.#forget(file)
    for (const file of files) {
      // The content that was last reported counts, so that no change is missed.
      if (this.#watched.has(file)) continue
      this.#watched.set(file, contentOf(file))
      watchFile(file, { interval: pollMs, persistent: false }, () => {
        const content = contentOf(file)
        // While it is being replaced it may be missing.
        if (content === '' || content === this.#watched.get(file)) return
        this.#watched.set(file, content)
        this.#onReload(file)
      })
    }
  }

  close(): void {
    process.off('SIGHUP', this.#onSignal)
    for (const file of this.#watched.keys()) this.#forget(file)
  }

  #forget(file: string): void {
    unwatchFile(file)
    this.#watched.delete(file)
  }
}

/** Empty if it cannot be read. */
function contentOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return ''
  }
}
