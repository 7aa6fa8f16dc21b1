import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const sinks =
  /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|setHTML|document\.write|\beval\(|new Function\(/

it('the console renders text with React and never sets HTML', () => {
  const files = (readdirSync(import.meta.dirname, { recursive: true }) as string[]).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  const setting = files.filter((file) =>
    sinks.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  )
  expect(setting).toEqual([])
})
