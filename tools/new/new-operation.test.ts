import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProjectCopy } from './project-copy.ts'

/** In the nightly run: these take minutes. */
const isFull = process.env['MANC_FULL'] !== undefined
const maxHandWritten = 12
/** Text that marks a file as generated: in a source file, a page, the OpenAPI document. */
const generatedMarks = ['Do not edit.', '"x-generated"']

let copy: ProjectCopy
let printed: string

beforeAll(() => {
  copy = new ProjectCopy()
  printed = copy.run(
    'npm',
    'run',
    'new',
    '--',
    'operation',
    'listSpecimens',
    '--path',
    '/api/v1/specimens',
    '--module',
    'specimens',
  )
})

afterAll(() => copy?.remove())

const isGenerated = (file: string) => {
  const head = copy.read(file).slice(0, 200)
  return generatedMarks.some((mark) => head.includes(mark))
}

describe('npm run new -- operation NAME', () => {
  it(`touches at most ${maxHandWritten} hand-written files, tests included`, () => {
    const touched = copy.touched()
    const handWritten = touched.filter((file) => !isGenerated(file))
    expect(handWritten).toContain('packages/server/test/specimens.test.ts')
    expect(handWritten.length).toBeLessThanOrEqual(maxHandWritten)
    expect(touched.filter(isGenerated)).toEqual([
      'clients/python/src/manc/_async/methods.py',
      'clients/python/src/manc/_async/resources.py',
      'clients/python/src/manc/_core/routes.py',
      'clients/python/src/manc/_sync/methods.py',
      'clients/python/src/manc/_sync/resources.py',
      'docs/openapi.json',
      'packages/cli/src/generated/lists.ts',
      'packages/cli/src/generated/resources.ts',
      'packages/sdk/src/generated/methods.ts',
      'packages/sdk/src/generated/resources.ts',
      'packages/sdk/src/generated/routes.ts',
    ])
  })

  it('names every hand-written file that it touched and what remains to be done there', () => {
    const named = copy.touched().filter((file) => printed.includes(`  ${file}\n      `))
    expect(named).toEqual(copy.touched().filter((file) => !isGenerated(file)))
  })

  it.runIf(isFull)('leaves a project that passes npm run check', { timeout: 300_000 }, () => {
    copy.run('npm', 'run', '--silent', 'check')
  })

  it.runIf(isFull)(
    'leaves a server that passes the access grid and the new suite',
    { timeout: 300_000 },
    () => {
      copy.run('npx', 'vitest', 'run', 'packages/server/test/grid', 'packages/server/test/specimens.test.ts')
    },
  )

  it.runIf(isFull)('leaves all suites over every operation green', { timeout: 600_000 }, () => {
    copy.run(
      'npx',
      'vitest',
      'run',
      'packages/server/test/bad-requests',
      'packages/sdk/src/surface.test.ts',
      'packages/sdk/test/every-operation.test.ts',
      'packages/cli/test/operations.test.ts',
    )
  })

  it('refuses a module that exists and names the files to change instead', () => {
    expect(() =>
      copy.run(
        'npm',
        'run',
        'new',
        '--',
        'operation',
        'listRoles',
        '--path',
        '/api/v1/roles',
        '--module',
        'users',
      ),
    ).toThrow('The module users exists. Add the operation to packages/contract/src/users.ts')
  })
})

describe('npm run new -- operation with --table', () => {
  it('adds a migration and the types of its table', { timeout: 120_000 }, () => {
    const args = [
      'operation',
      'listExhibits',
      '--path',
      '/api/v1/exhibits',
      '--module',
      'exhibits',
      '--table',
    ]
    copy.run('npm', 'run', 'new', '--', ...args)
    const migration = copy.touched().find((file) => /migrations\/\d{4}-exhibits\.ts$/.test(file)) ?? ''
    expect(copy.read(migration)).toContain('create table exhibits')
    copy.run('npm', 'run', '--silent', 'check:types')
    copy.run('npm', 'run', '--silent', 'check:tables')
  })
})
