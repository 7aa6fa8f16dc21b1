import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const folder = path.join(import.meta.dirname, '../template')

it('the template passes its test with one command in a clone', async () => {
  const { PATH, HOME, TMPDIR, MANC_ENGINES_ROOT } = process.env
  const child = spawn('npm', ['test'], { cwd: folder, env: { PATH, HOME, TMPDIR, MANC_ENGINES_ROOT } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect([code, output]).toEqual([0, expect.stringMatching(/^. pass 1$/m)])
}, 180_000)
