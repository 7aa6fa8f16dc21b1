import { open } from 'node:fs/promises'
import type { AuditRecord } from '@manc/contract'
import type { AuditReceiver } from './receiver.types.ts'

/**
 * Appends entries as JSON lines. The file is opened for each batch, so that a file that was renamed by log rotation is
 * created again, without a signal.
 */
export class AuditFile implements AuditReceiver {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async send(records: readonly AuditRecord[]): Promise<void> {
    // Readable by the user of the service and its group.
    const file = await open(this.#path, 'a+', 0o640)
    try {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
      await file.appendFile((await endsInLine(file)) ? lines : `\n${lines}`)
      await file.datasync()
    } finally {
      await file.close()
    }
  }
}

/** False after a crash in the middle of a line: the entries of that batch follow again, on new lines. */
async function endsInLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 10
}
