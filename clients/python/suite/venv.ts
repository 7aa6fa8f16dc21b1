import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mustRun } from './run.ts'

export const folder = path.join(import.meta.dirname, '..')
/** `MANC_PYTHON=python3.10 npm run python` tests with the oldest version that is supported. */
export const interpreter = process.env['MANC_PYTHON'] ?? 'python3'

/** Returns the interpreter of a virtual environment with the packages of a lock file, which is created if needed. */
export async function pythonWith(
  lockFile: 'requirements.txt' | 'requirements-notebook.txt',
): Promise<string> {
  const venv = path.join(folder, lockFile === 'requirements.txt' ? '.venv' : '.venv-notebook')
  const python = path.join(venv, 'bin/python')
  const marker = path.join(venv, 'installed')
  const wanted = createHash('sha256')
    .update(interpreter)
    .update(readFileSync(path.join(folder, lockFile)))
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return python
  console.log(`installing clients/python/${lockFile} …`)
  await mustRun(interpreter, ['-m', 'venv', '--clear', venv], { cwd: folder })
  const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary=:all:']
  await mustRun(python, ['-m', 'pip', 'install', ...options, '-r', lockFile], { cwd: folder })
  writeFileSync(marker, wanted)
  return python
}
