import { describe, expect, it } from 'vitest'
import { problemsOf } from './page.ts'
import { requirements } from './requirements.ts'

const files: Record<string, string> = {
  'a.test.ts': `it('works always', () => {})`,
  'docs/a.md': 'The limit is 5.',
}
const problems = (...rows: string[]) =>
  problemsOf(rows.join('\n'), (path) => files[path]).filter(
    (problem) => !/listed 0 times|summary/.test(problem),
  )

describe('the ASVS page', () => {
  it('has 70 requirements of level 1 and 183 of level 2', () => {
    expect(requirements).toHaveLength(253)
    expect(problemsOf('', () => undefined).filter((problem) => problem.includes('0 times'))).toHaveLength(253)
  })

  it('may list several requirements in a row', () => {
    const page = '| V17.2.1–V17.2.4, V17.3.1 | WebRTC | not applicable | none |'
    expect(problems(page)).toEqual([])
    expect(problemsOf(page, () => undefined)).not.toContain('V17.2.3 is listed 0 times')
    expect(problems(page, page)).toContain('V17.2.3 is listed 2 times')
  })

  it.each([
    ['names a missing file', '| V1.1.1 | a | met | `b.test.ts` |', 'V1.1.1: there is no file b.test.ts'],
    [
      'names a part of a title',
      '| V1.1.1 | a | met | `a.test.ts`: “works” |',
      'V1.1.1: a.test.ts has no “works”',
    ],
    [
      'names a text that is not in the file',
      '| V1.1.1 | a | met | `docs/a.md`: “is 6” |',
      'V1.1.1: docs/a.md has no “is 6”',
    ],
    ['has no evidence', '| V1.1.1 | a | met | surely |', 'V1.1.1: is met without a file that shows it'],
    ['has an id of level 3', '| V3.1.1 | a | not met | no |', 'V3.1.1 is no requirement of level 1 or 2'],
    ['has another status', '| V1.1.1 | a | partly | no |', expect.stringMatching(/^V1.1.1: a row has/)],
  ])('is refused when it %s', (_, row, problem) => {
    expect(problems(row)).toEqual([problem])
  })

  it('is accepted with whole titles of tests and texts of files', () => {
    expect(problems('| V1.1.1 | a | met | `a.test.ts`: “works always”; `docs/a.md`: “limit is 5” |')).toEqual(
      [],
    )
  })

  it('has a summary with the right numbers', () => {
    const page = '| V1.1.1 | a | not met | no |\n| V2 | 0 | 0 | 0 |\n| all | 0 | 2 | 0 |'
    const found = problemsOf(page, () => undefined).filter((problem) => problem.includes('summary'))
    expect(found).toContain('the summary lacks the line: | V1 | 0 | 1 | 0 |')
    expect(found).toContain('the summary lacks the line: | all | 0 | 1 | 0 |')
    expect(found).not.toContain('the summary lacks the line: | V2 | 0 | 0 | 0 |')
  })
})
