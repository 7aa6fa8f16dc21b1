import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

it('no package of the lockfile runs a script when it is installed', () => {
  const file = path.join(import.meta.dirname, '../package-lock.json')
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(Object.keys(packages).filter((name) => packages[name]?.hasInstallScript)).toEqual([])
})
