import { requirements } from './requirements.ts'

const statuses = ['met', 'not met', 'not applicable'] as const
type Status = (typeof statuses)[number]

interface Row {
  ids: string[]
  status: Status
  evidence: string
}

/** The text of a file of the repository; undefined where there is none. */
type ReadFile = (path: string) => string | undefined

/** What is wrong with the page: requirements that are missing, evidence that does not exist, a wrong summary. */
export function problemsOf(page: string, read: ReadFile): string[] {
  const problems: string[] = []
  const rows = rowsOf(page, problems)
  const listed = rows.flatMap(({ ids }) => ids)
  for (const id of requirements) {
    const times = listed.filter((each) => each === id).length
    if (times !== 1) problems.push(`${id} is listed ${times} times`)
  }
  for (const id of listed)
    if (!requirements.includes(id)) problems.push(`${id} is no requirement of level 1 or 2`)
  for (const row of rows) problems.push(...evidenceProblems(row, read))
  for (const line of summaryOf(rows))
    if (!page.includes(line)) problems.push(`the summary lacks the line: ${line}`)
  return problems
}

/** The lines of the summary: one for each chapter, and the sum. */
function summaryOf(rows: readonly Row[]): string[] {
  const chapters = [...new Set(requirements.map((id) => id.split('.')[0] ?? ''))]
  const count = (chapter: string, status: Status) =>
    rows
      .filter((row) => row.status === status)
      .flatMap(({ ids }) => ids)
      .filter((id) => chapter === '' || id.startsWith(`${chapter}.`)).length
  const line = (name: string, chapter: string) =>
    `| ${name} | ${statuses.map((status) => count(chapter, status)).join(' | ')} |`
  return [...chapters.map((chapter) => line(chapter, chapter)), line('all', '')]
}

function rowsOf(page: string, problems: string[]): Row[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, ids = '', , status = '', evidence = ''] = cells
    if (!/^V\d+\.\d+\.\d+/.test(ids)) return []
    if (cells.length !== 6 || !(statuses as readonly string[]).includes(status)) {
      problems.push(`${ids}: a row has an id, a requirement, a status (${statuses.join(', ')}) and evidence`)
      return []
    }
    return [{ ids: ids.split(', ').flatMap(expand), status: status as Status, evidence }]
  })
}

/** `V17.2.1–V17.2.4` is four ids. */
function expand(text: string): string[] {
  const [first = '', last] = text.split('–')
  if (last === undefined) return [first]
  const section = first.replace(/\d+$/, '')
  const [from, to] = [first, last].map((id) => Number(id.slice(section.length))) as [number, number]
  return Array.from({ length: to - from + 1 }, (_, index) => `${section}${from + index}`)
}

/** Evidence is `a file` and “a text in it”. In a test file the text is the whole title of a test. */
function evidenceProblems({ ids, status, evidence }: Row, read: ReadFile): string[] {
  const id = ids[0] ?? ''
  const problems: string[] = []
  let file: string | undefined
  let text: string | undefined
  for (const [, path, quoted] of evidence.matchAll(/`([^`]*[./][^`]*)`|“([^”]+)”/g)) {
    if (path !== undefined) {
      file = path
      text = read(path)
      if (text === undefined) problems.push(`${id}: there is no file ${path}`)
    } else if (quoted !== undefined && (text === undefined || !includes(file ?? '', text, quoted)))
      problems.push(`${id}: ${file ?? 'no file'} has no “${quoted}”`)
  }
  if (status === 'met' && file === undefined) problems.push(`${id}: is met without a file that shows it`)
  return problems
}

function includes(file: string, text: string, quoted: string): boolean {
  if (!/\.(test|faults|suite)\.ts$/.test(file)) return text.includes(quoted)
  return [`'`, `"`, '`'].some((mark) => text.includes(`${mark}${quoted}${mark}`))
}
