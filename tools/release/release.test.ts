import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProjectCopy } from '../new/project-copy.ts'
import { disallowed, productionDependencies } from './licences.ts'
import { writeReleaseFiles } from './release-files.ts'
import { releaseProblems } from './release-problems.ts'
import type { Sbom } from './sbom.ts'
import { versionOf, versionProblems } from './versions.ts'

const root = path.join(import.meta.dirname, '../..')

describe('licences of production dependencies', () => {
  it('are all on the list of allowed licences', () => {
    const dependencies = productionDependencies(root)
    expect(dependencies.map(({ name }) => name)).toContain('fastify')
    expect(disallowed(dependencies)).toEqual([])
  })

  it('do not include those of development tools and of our packages', () => {
    const names = productionDependencies(root).map(({ name }) => name)
    expect(names.filter((name) => name === 'vitest' || name.startsWith('@manc/'))).toEqual([])
  })

  it.each(['GPL-3.0-only', 'SEE LICENSE IN LICENSE', 'none', 'MIT AND GPL-2.0-only'])(
    'must not be %s',
    (licence) => {
      expect(disallowed([{ name: 'library', version: '1.0.0', licence }])).toHaveLength(1)
    },
  )

  it('may be a choice that includes an allowed one', () => {
    expect(disallowed([{ name: 'library', version: '1.0.0', licence: '(GPL-2.0 OR MIT)' }])).toEqual([])
  })
})

it('all packages, the dependencies between them and the lockfile have one version', () => {
  expect(versionProblems(root)).toEqual([])
})

describe('a release', () => {
  let copy: ProjectCopy
  const commit = () => {
    copy.run('git', 'add', '--all')
    copy.run('git', '-c', 'user.name=t', '-c', 'user.email=t@manc.test', 'commit', '--quiet', '-m', 'change')
  }

  beforeAll(() => {
    copy = new ProjectCopy()
  })
  afterAll(() => copy?.remove())

  it('is refused with different versions, no changelog, no OpenAPI document or uncommitted files', () => {
    const changed = copy.read('package.json').replace(/"version": "[^"]+"/, '"version": "99.0.0"')
    writeFileSync(path.join(copy.folder, 'package.json'), changed)
    expect(releaseProblems(copy.folder).join('\n')).toMatch(
      /packages\/agent\/package.json has version[^]*CHANGELOG.md has no section[^]*docs\/openapi\/99.0.0.json[^]*commit or remove/,
    )
  })

  it('is prepared, and then has an SBOM, licences, the OpenAPI document and checksums', () => {
    copy.run(process.execPath, 'tools/release/main.ts', 'prepare', '99.0.0')
    expect(versionOf(copy.folder)).toBe('99.0.0')
    writeFileSync(path.join(copy.folder, 'CHANGELOG.md'), `${copy.read('CHANGELOG.md')}\n## 99.0.0\n`)
    commit()
    expect(releaseProblems(copy.folder)).toEqual([])
    const target = path.join(copy.folder, 'dist/release')
    mkdirSync(target, { recursive: true })
    writeReleaseFiles(copy.folder, target)
    expect(readdirSync(target).toSorted()).toEqual([
      'SHA256SUMS',
      'manc-99.0.0.licences.txt',
      'manc-99.0.0.openapi.json',
      'manc-99.0.0.sbom.json',
    ])
    copy.run('sh', '-c', 'cd dist/release && sha256sum --check SHA256SUMS')
    const sbom = JSON.parse(copy.read('dist/release/manc-99.0.0.sbom.json')) as Sbom
    expect(sbom.metadata.component).toMatchObject({ name: 'manc', version: '99.0.0' })
    const names = sbom.components.map(({ name }) => name)
    const dependencies = productionDependencies(copy.folder).map(({ name }) => name)
    expect(
      dependencies.filter((name) => !names.includes(name)),
      'not in the SBOM',
    ).toEqual([])
    expect(names).not.toContain('vitest')
    expect(copy.read('dist/release/manc-99.0.0.licences.txt')).toMatch(/^fastify \S+: MIT$/m)
  })
})
