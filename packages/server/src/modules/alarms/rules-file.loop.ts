import { rename, writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { RuleService } from './rules.service.ts'

/** Writes the rules to the file that a vmalert on this machine reads, when they have changed. */
export function rulesFileLoop(options: {
  rules: RuleService
  path: string
  intervalMs: number
  log: Logger
}): Loop {
  const { rules, path, intervalMs, log } = options
  let written: string | undefined
  return new Loop({
    name: 'writing the rules for vmalert',
    intervalMs,
    log,
    run: async () => {
      const text = await rules.file()
      if (text === written) return
      // In one step: vmalert never reads a part of it.
      const draft = `${path}.${process.pid}`
      await writeFile(draft, text, { mode: 0o644 })
      await rename(draft, path)
      written = text
    },
  })
}
